import landing from './landing.json';
import landingBelow from './landingBelow.json';

/** The messages of /landing, beyond the public ones. */
export default { ...landing, ...landingBelow };
