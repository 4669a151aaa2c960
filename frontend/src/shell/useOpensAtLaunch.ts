import { useIntl } from 'react-intl';

import { useToast } from './ToastProvider';

/** Return the handler of a control whose feature is not open yet: a toast says when it opens. */
export function useOpensAtLaunch(): () => void {
  const { formatMessage } = useIntl();
  const { notify } = useToast();
  return () => notify(formatMessage({ id: 'toast.opensAtLaunch' }));
}
