import { useIntl } from 'react-intl';

import { useAuth } from '../session/AuthProvider';
import { ProfileLayout } from '../shell/ProfileLayout';
import { LoadState } from '../ui/LoadState';

/** A member's page without its member: on their way, or out of reach (spec section 4, Session). */
export function MemberWait() {
  const { formatMessage } = useIntl();
  const { status, refresh } = useAuth();
  return (
    <ProfileLayout>
      <h1 className="visually-hidden">{formatMessage({ id: 'memberWait.title' })}</h1>
      <LoadState
        loading={formatMessage({ id: 'memberWait.loading' })}
        failure={
          status === 'unreachable'
            ? {
                text: formatMessage({ id: 'memberWait.failed' }),
                hint: formatMessage({ id: 'memberWait.hint' }),
                retry: formatMessage({ id: 'memberWait.retry' }),
                onRetry: () => void refresh(),
              }
            : undefined
        }
      />
    </ProfileLayout>
  );
}
