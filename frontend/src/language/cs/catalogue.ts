import type english from '../en/catalogue';

import appBar from './appBar.json';
import failure from './failure.json';
import footer from './footer.json';
import navigation from './navigation.json';

/** Czech: every message that English has, and no other. */
export default { ...appBar, ...failure, ...footer, ...navigation } satisfies typeof english;
