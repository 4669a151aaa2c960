import { useIntl } from 'react-intl';

import { useSiteConfig } from '../config/SiteConfig';
import { useToast } from './ToastProvider';

/** Return the handler of a control whose feature is not open yet: a toast says when it opens. */
export function useOpensAtLaunch(): () => void {
  const { formatMessage } = useIntl();
  const { launchYear } = useSiteConfig();
  const { notify } = useToast();
  return () => notify(formatMessage({ id: 'toast.opensAtLaunch' }, { launchYear }));
}
