import { useIntl } from 'react-intl';

import { QueryBoundary } from '../query/QueryBoundary';
import { useAuth } from '../session/AuthProvider';
import { ProfileLayout } from '../shell/ProfileLayout';

/** Shown on a member's page while the member is loading or cannot be loaded (spec section 4, Session). */
export function MemberWait() {
  const { formatMessage } = useIntl();
  const { status, refresh } = useAuth();
  const error = status === 'unreachable' ? new Error(status) : undefined;
  return (
    <ProfileLayout>
      <h1 className="visually-hidden">{formatMessage({ id: 'memberWait.title' })}</h1>
      <QueryBoundary
        query={{ data: undefined, loading: !error, error, refetch: refresh }}
        messages={{
          loading: 'memberWait.loading',
          failed: 'memberWait.failed',
          hint: 'memberWait.hint',
          retry: 'memberWait.retry',
        }}
      />
    </ProfileLayout>
  );
}
