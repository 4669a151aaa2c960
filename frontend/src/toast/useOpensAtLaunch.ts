import { useIntl } from 'react-intl';

import { useSiteConfig } from '../config/SiteConfig';
import { useToast } from './ToastProvider';

/**
 * What a control does whose feature is not open yet.
 *
 * @returns says in a toast that this opens when the community launches, and in which year
 */
export function useOpensAtLaunch(): () => void {
  const { formatMessage } = useIntl();
  const { launchYear } = useSiteConfig();
  const { notify } = useToast();
  return () => notify(formatMessage({ id: 'toast.opensAtLaunch' }, { launchYear }));
}
