import { BookOpen, Flag, Sailboat, Users } from 'lucide';
import { FormattedMessage } from 'react-intl';

import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Icon } from '../../ui/Icon';
import * as styles from './QuickActions.module.css';
import { SideSection } from './SideSection';

const ACTIONS = [
  { label: 'dashboard.logTrip', icon: BookOpen },
  { label: 'dashboard.findCrew', icon: Users },
  { label: 'dashboard.offerBoat', icon: Sailboat },
  { label: 'dashboard.enterRace', icon: Flag },
] as const;

export function QuickActions() {
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <SideSection title={<FormattedMessage id="dashboard.quickActions" />}>
      <ul className={styles.actions}>
        {ACTIONS.map(({ label, icon }) => (
          <li key={label}>
            <button type="button" className={styles.action} onClick={opensAtLaunch}>
              <Icon of={icon} />
              <FormattedMessage id={label} />
            </button>
          </li>
        ))}
      </ul>
    </SideSection>
  );
}
