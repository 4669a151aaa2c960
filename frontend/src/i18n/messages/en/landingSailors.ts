import landingSailors from './landingSailors.json';
import landingSailorsBelow from './landingSailorsBelow.json';

/** The messages of /landing-sailors, beyond the public ones. */
export default { ...landingSailors, ...landingSailorsBelow };
