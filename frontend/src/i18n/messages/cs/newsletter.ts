import forms from './forms.json';
import newsletter from './newsletter.json';

/** The messages of /newsletter, beyond the public ones. */
export default { ...forms, ...newsletter };
