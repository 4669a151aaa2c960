import { CalendarDays, MapPin, Video } from 'lucide';
import type { KeyboardEvent } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Member } from '../../session/member';
import { getFullName } from '../../session/member';
import { useOpensAtLaunch } from '../../toast/useOpensAtLaunch';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import * as styles from './Composer.module.css';

const BUTTONS = [
  { label: 'dashboard.video', icon: Video },
  { label: 'dashboard.location', icon: MapPin },
  { label: 'dashboard.event', icon: CalendarDays },
] as const;

/** Render the field for a new post. It is read-only until posts can be stored, so that no text is lost. */
export function Composer({ member }: { member: Member }) {
  const { formatMessage } = useIntl();
  const opensAtLaunch = useOpensAtLaunch();

  function onKeyDown({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
    const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey;
    if (isText || key === 'Enter') opensAtLaunch();
  }

  return (
    <Card className={styles.composer}>
      <div className={styles.row}>
        <Avatar name={getFullName(member)} />
        <input
          readOnly
          className={styles.field}
          aria-label={formatMessage({ id: 'dashboard.composer' })}
          placeholder={formatMessage({ id: 'dashboard.share' })}
          onClick={opensAtLaunch}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.buttons}>
        {BUTTONS.map(({ label, icon }) => (
          <Button key={label} variant="ghost" className={styles.button} onClick={opensAtLaunch}>
            <Icon icon={icon} size={20} />
            <FormattedMessage id={label} />
          </Button>
        ))}
      </div>
    </Card>
  );
}
