import academy from './academy.json';
import dashboard from './dashboard.json';
import events from './events.json';
import marketplace from './marketplace.json';
import places from './places.json';
import query from './query.json';
import sample from './sample.json';
import sampleAcademy from './sampleAcademy.json';
import sampleBoats from './sampleBoats.json';
import sampleDashboard from './sampleDashboard.json';
import sampleEvents from './sampleEvents.json';
import toast from './toast.json';

/** The messages of the screens with sample data, beyond the public ones. */
export default {
  ...academy,
  ...dashboard,
  ...events,
  ...marketplace,
  ...places,
  ...query,
  ...sample,
  ...sampleAcademy,
  ...sampleBoats,
  ...sampleDashboard,
  ...sampleEvents,
  ...toast,
};
