import newsletter from './newsletter.json';
import request from './request.json';

/** The messages of /newsletter, beyond the public ones. */
export default { ...newsletter, ...request };
