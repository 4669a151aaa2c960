import appBar from './appBar.json';
import failure from './failure.json';
import footer from './footer.json';
import navigation from './navigation.json';
import privacy from './privacy.json';
import toast from './toast.json';

/** The messages that every page shares. */
export default {
  ...appBar,
  ...failure,
  ...footer,
  ...navigation,
  ...privacy,
  ...toast,
};
