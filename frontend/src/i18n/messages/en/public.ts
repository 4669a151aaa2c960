import appBar from './appBar.json';
import failure from './failure.json';
import footer from './footer.json';
import launch from './launch.json';
import legalLinks from './legalLinks.json';
import navigation from './navigation.json';

/** The messages that every page shares. */
export default {
  ...appBar,
  ...failure,
  ...footer,
  ...launch,
  ...legalLinks,
  ...navigation,
};
