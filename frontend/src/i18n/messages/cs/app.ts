import auth from './auth.json';
import memberBar from './memberBar.json';
import memberWait from './memberWait.json';
import notifications from './notifications.json';
import profile from './profile.json';
import query from './query.json';
import request from './request.json';
import sample from './sample.json';
import sampleNotifications from './sampleNotifications.json';

/** The messages of the account pages and of the member controls, beyond the public ones. */
export default {
  ...auth,
  ...memberBar,
  ...memberWait,
  ...notifications,
  ...profile,
  ...query,
  ...request,
  ...sample,
  ...sampleNotifications,
};
