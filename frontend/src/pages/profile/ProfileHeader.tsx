import { Pencil } from 'lucide';
import type { RefObject } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import cover from '@media/cover.avif?picture';
import { getFullName, type Member } from '../../session/member';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { PictureFrame } from '../../ui/PictureFrame';
import { Wave } from '../../ui/Wave';
import * as styles from './ProfileHeader.module.css';

interface ProfileHeaderProps {
  user: Member;
  editButton: RefObject<HTMLButtonElement | null>;
  /** Whether the form is being loaded. */
  isOpening: boolean;
  /** Undefined while the profile is being edited. */
  onEdit: (() => void) | undefined;
}

/** The name of the member and the edit button. */
export function ProfileHeader({ user, editButton, isOpening, onEdit }: ProfileHeaderProps) {
  const { formatMessage } = useIntl();
  const name = getFullName(user);
  return (
    <Card className={styles.header}>
      <PictureFrame
        files={cover}
        alt=""
        sizes="(width >= 1440px) 84rem, max(100vw, 40rem)"
        lazy={false}
        className={styles.water}
        pictureClassName={styles.picture}
      >
        <Wave className={styles.wave} />
      </PictureFrame>
      <div className={styles.person}>
        <div className={styles.avatar}>
          <Avatar name={name} size="large" />
        </div>
        <div className={styles.names}>
          <h1 className={styles.name}>{name}</h1>
          {user.nickname && (
            <p className={styles.nickname}>
              <FormattedMessage id="profile.quotedNickname" values={{ nickname: user.nickname }} />
            </p>
          )}
        </div>
        {onEdit && (
          <Button
            ref={editButton}
            onClick={onEdit}
            pendingLabel={isOpening && formatMessage({ id: 'profile.opening' })}
            className={styles.edit}
          >
            <Icon icon={Pencil} size={18} />
            <FormattedMessage id="profile.edit" />
          </Button>
        )}
      </div>
    </Card>
  );
}
