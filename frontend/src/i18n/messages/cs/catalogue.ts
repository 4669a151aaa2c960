import type english from '../en/catalogue';

import appBar from './appBar.json';
import failure from './failure.json';
import footer from './footer.json';
import navigation from './navigation.json';
import toast from './toast.json';

/** Czech: every message that English has, and no other. */
export default { ...appBar, ...failure, ...footer, ...navigation, ...toast } satisfies typeof english;
