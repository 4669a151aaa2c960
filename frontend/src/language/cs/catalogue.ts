import type english from '../en/catalogue';

import appBar from './appBar.json';
import crossroad from './crossroad.json';
import failure from './failure.json';
import footer from './footer.json';
import navigation from './navigation.json';
import newsletter from './newsletter.json';
import notFound from './notFound.json';

/** Czech: every message that English has, and no other. */
export default {
  ...appBar,
  ...crossroad,
  ...failure,
  ...footer,
  ...navigation,
  ...newsletter,
  ...notFound,
} satisfies typeof english;
