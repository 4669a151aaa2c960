import auth from './auth.json';
import forms from './forms.json';
import memberBar from './memberBar.json';
import memberWait from './memberWait.json';
import notifications from './notifications.json';
import profile from './profile.json';
import query from './query.json';
import sample from './sample.json';
import sampleNotifications from './sampleNotifications.json';
import toast from './toast.json';

/** The messages of the account pages and of the member controls, beyond the public ones. */
export default {
  ...auth,
  ...forms,
  ...memberBar,
  ...memberWait,
  ...notifications,
  ...profile,
  ...query,
  ...sample,
  ...sampleNotifications,
  ...toast,
};
