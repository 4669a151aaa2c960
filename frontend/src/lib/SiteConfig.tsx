import { createContext, type ReactNode, use } from 'react';

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

const SiteConfigContext = createContext<SiteConfig | undefined>(undefined);

/**
 * Read the settings from the JSON script `site-config` of the page.
 *
 * @throws {SyntaxError} when there is none
 */
export function readSiteConfig(page: Document): SiteConfig {
  return JSON.parse(page.getElementById('site-config')?.textContent ?? '') as SiteConfig;
}

export function SiteConfigProvider({ config, children }: { config: SiteConfig; children: ReactNode }) {
  return <SiteConfigContext value={config}>{children}</SiteConfigContext>;
}

/**
 * Return the settings of the site.
 *
 * @throws {Error} outside a SiteConfigProvider
 */
export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (!config) throw new Error('useSiteConfig must be used within a SiteConfigProvider');
  return config;
}
