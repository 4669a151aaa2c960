import { useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import { reloadPage } from '../../chunks/reloadPage';
import { LoadState } from '../../loading/QueryBoundary';

/** Show that the profile is loading or could not be loaded, with a Retry button. */
export function ProfileLoading({ hasFailed }: { hasFailed: boolean }) {
  const { formatMessage } = useIntl();

  function retry() {
    trackButton('retry', 'profile');
    reloadPage();
  }

  return (
    <>
      <h1 className="visually-hidden">{formatMessage({ id: 'profile.title' })}</h1>
      <LoadState
        hasFailed={hasFailed}
        onRetry={retry}
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
