import { clsx } from 'clsx';
import { useRef } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { InvitationQuery } from '../../../api/generated';
import { QueryBoundary } from '../../../loading/QueryBoundary';
import { Button, getButtonClass } from '../../../ui/Button';
import { TextField } from '../../../ui/Field';
import { useInvitationQuery } from './accountApi';
import type { PanelProps } from './panel';
import * as styles from './panels.module.css';

/** The link by which the member invites others, and what that brings; only with a newsletter. */
export function InviteCrew({ user, showResult }: PanelProps) {
  const query = useInvitationQuery();
  return (
    <QueryBoundary query={query}>
      {({ invitation }) =>
        invitation ? (
          <Invitation invitation={invitation} showResult={showResult} />
        ) : (
          <p className={styles.hint}>
            <FormattedMessage
              id={user.isEmailVerified ? 'account.inviteWithoutNewsletter' : 'account.inviteUnverified'}
            />
          </p>
        )
      }
    </QueryBoundary>
  );
}

interface InvitationProps extends Pick<PanelProps, 'showResult'> {
  invitation: NonNullable<InvitationQuery['invitation']>;
}

function Invitation({ invitation: { url, count, milestones }, showResult }: InvitationProps) {
  const { formatMessage } = useIntl();
  const field = useRef<HTMLInputElement>(null);
  const subject = formatMessage({ id: 'account.inviteSubject' });

  function copy() {
    showResult(undefined);
    navigator.clipboard.writeText(url).then(
      () => showResult(formatMessage({ id: 'account.inviteCopied' })),
      () => field.current?.focus(), // which selects the link
    );
  }

  return (
    <div className={styles.panel}>
      <p className={styles.hint}>
        <FormattedMessage id="account.inviteCount" values={{ count }} />
      </p>
      {milestones.length > 0 && (
        <ol className={styles.milestones}>
          {milestones.map(({ threshold, name }) => (
            <li key={threshold} className={clsx(styles.milestone, count >= threshold && styles.reached)}>
              <span className={styles.threshold}>{threshold}</span>
              <span>{name}</span>
              {count >= threshold && (
                <span className={styles.note}>
                  <FormattedMessage id="account.inviteReached" />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      <TextField
        ref={field}
        label={formatMessage({ id: 'account.inviteLink' })}
        type="url"
        value={url}
        readOnly
        onFocus={({ target }) => target.select()}
      />
      <div className={styles.downloads}>
        {'share' in navigator && (
          <Button
            variant="secondary"
            // Closing the sheet rejects, too.
            onClick={() => void navigator.share({ title: subject, url }).catch(() => undefined)}
          >
            <FormattedMessage id="account.inviteShare" />
          </Button>
        )}
        {'clipboard' in navigator && (
          <Button variant="secondary" onClick={copy}>
            <FormattedMessage id="account.inviteCopy" />
          </Button>
        )}
        <a
          className={getButtonClass('secondary')}
          href={`mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(url)}`}
        >
          <FormattedMessage id="account.inviteMail" />
        </a>
      </div>
      <p className={styles.note}>
        <FormattedMessage id="account.inviteNote" />
      </p>
    </div>
  );
}
