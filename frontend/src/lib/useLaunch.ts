import { useIntl } from 'react-intl';

import { useSiteConfig } from './SiteConfig';
import { useHydrated } from './useHydrated';

/**
 * Return when the community launches, as a sentence without its period: the year, or "soon" once the year is in the past.
 *
 * The server's clock decides first, so that the first render matches the HTML; after hydration the visitor's does too.
 */
export function useLaunch(): string {
  const { formatMessage } = useIntl();
  const { launchYear, isLaunchYearPast } = useSiteConfig();
  const isHydrated = useHydrated();
  const isPast = isLaunchYearPast || (isHydrated && new Date().getFullYear() > Number(launchYear));
  return isPast
    ? formatMessage({ id: 'launch.soon' })
    : formatMessage({ id: 'launch.year' }, { year: launchYear });
}
