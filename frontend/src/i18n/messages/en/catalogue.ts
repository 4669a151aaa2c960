import appBar from './appBar.json';
import failure from './failure.json';
import footer from './footer.json';
import navigation from './navigation.json';
import toast from './toast.json';

/** The messages that every page needs; those of one page alone come with it (see loadGroup). */
export default { ...appBar, ...failure, ...footer, ...navigation, ...toast };
