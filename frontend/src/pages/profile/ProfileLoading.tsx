import { useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import { reloadPage } from '../../lazy/reloadPage';
import { QueryBoundary } from '../../query/QueryBoundary';

/** Show that the profile is loading or could not be loaded, with a Retry button. */
export function ProfileLoading({ failed }: { failed: boolean }) {
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
