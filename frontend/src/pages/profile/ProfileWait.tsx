import { useIntl } from 'react-intl';

import { track } from '../../analytics/track';
import { reloadPage } from '../../lazy/reloadPage';
import { LoadState } from '../../ui/LoadState';

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
      <LoadState
        loading={formatMessage({ id: 'profile.loading' })}
        failure={
          failed
            ? {
                text: formatMessage({ id: 'profile.loadFailed' }),
                hint: formatMessage({ id: 'profile.loadFailedHint' }),
                retry: formatMessage({ id: 'profile.retry' }),
                onRetry: retry,
              }
            : undefined
        }
      />
    </>
  );
}
