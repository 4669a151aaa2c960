import appBar from './appBar.json';
import crossroad from './crossroad.json';
import failure from './failure.json';
import footer from './footer.json';
import navigation from './navigation.json';
import newsletter from './newsletter.json';
import notFound from './notFound.json';
import privacy from './privacy.json';
import toast from './toast.json';

/** The messages that every page shares, and those of the short public pages. */
export default {
  ...appBar,
  ...crossroad,
  ...failure,
  ...footer,
  ...navigation,
  ...newsletter,
  ...notFound,
  ...privacy,
  ...toast,
};
