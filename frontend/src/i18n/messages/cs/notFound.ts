import notFound from './notFound.json';
import request from './request.json';

/** The messages of the 404 page, beyond the public ones. */
export default { ...notFound, ...request };
