import forms from './forms.json';
import notFound from './notFound.json';

/** The messages of the 404 page, beyond the public ones. */
export default { ...forms, ...notFound };
