import { createContext, use } from 'react';

import { useT } from '../i18n/LanguageProvider';
import { useHydrated } from './useHydrated';

/** The settings that the server passes to the page. */
export interface SiteConfig {
  /** The year of the launch and of the copyright line. */
  launchYear: string;
  /** Whether the launch year was in the past when the server answered. */
  isLaunchYearPast: boolean;
  /** The measurement id of Google Analytics; empty to disable it. */
  gaMeasurementId: string;
  /** The address of the Sentry project; empty to disable error reports. */
  sentryDsn: string;
  /** Who runs the site. */
  operator: { name: string; address: string; email: string };
}

export const SiteConfigContext = createContext<SiteConfig | undefined>(undefined);

/**
 * Return the settings of the site.
 *
 * @throws {Error} outside a SiteConfigContext
 */
export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (!config) throw new Error('useSiteConfig must be used within a SiteConfigContext');
  return config;
}

/**
 * Return when the community launches, as a sentence without its period: the year, or "soon" once the year is in the past.
 *
 * The server's clock decides first, so that the first render matches the HTML; after hydration the visitor's does too.
 */
export function useLaunch(): string {
  const t = useT();
  const { launchYear, isLaunchYearPast } = useSiteConfig();
  const isHydrated = useHydrated();
  // oxlint-disable-next-line react/purity -- see above
  const isPast = isLaunchYearPast || (isHydrated && new Date().getFullYear() > Number(launchYear));
  return isPast ? t('launch.soon') : t('launch.year', { year: launchYear });
}
