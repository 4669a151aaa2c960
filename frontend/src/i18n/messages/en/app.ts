import academy from './academy.json';
import auth from './auth.json';
import dashboard from './dashboard.json';
import events from './events.json';
import marketplace from './marketplace.json';
import memberBar from './memberBar.json';
import memberWait from './memberWait.json';
import notifications from './notifications.json';
import profile from './profile.json';

/** The messages of the app pages and of the member controls, beyond the public ones. */
export default {
  ...academy,
  ...auth,
  ...dashboard,
  ...events,
  ...marketplace,
  ...memberBar,
  ...memberWait,
  ...notifications,
  ...profile,
};
