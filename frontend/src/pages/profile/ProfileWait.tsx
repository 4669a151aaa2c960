import { useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import { reloadPage } from '../../lazy/reloadPage';
import { QueryBoundary } from '../../query/QueryBoundary';

/** What stands there while there is no profile to show: it is on its way, or it could not be fetched. */
export function ProfileWait({ failed }: { failed: boolean }) {
  const { formatMessage } = useIntl();

  function retry() {
    track('button_click', { button: 'retry', location: 'profile' });
    reloadPage();
  }

  return (
    <>
      <h1 className="visually-hidden">{formatMessage({ id: 'profile.title' })}</h1>
      <QueryBoundary
        query={{
          data: undefined,
          loading: !failed,
          error: failed ? new Error('The profile could not be loaded') : undefined,
          refetch: retry,
        }}
        messages={{
          loading: 'profile.loading',
          failed: 'profile.loadFailed',
          hint: 'profile.loadFailedHint',
          retry: 'profile.retry',
        }}
      />
    </>
  );
}
