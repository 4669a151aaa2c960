import { createContext, type ReactNode, use } from 'react';

/** The settings that the server passes to the page. */
export interface SiteConfig {
  /** The launch year shown on the pages. */
  launchYear: string;
  /** The measurement id of Google Analytics; empty to disable it. */
  gaMeasurementId: string;
  /** The address of the Sentry project; empty to disable error reports. */
  sentryDsn: string;
  /** The origin of the site. */
  siteUrl: string;
  /** The address of the link preview picture. */
  picture: string;
}

const SiteConfigContext = createContext<SiteConfig | undefined>(undefined);

/**
 * Read the settings from the JSON script `site-config` of the page.
 *
 * @throws {Error} when there is none
 */
export function readSiteConfig(page: Document): SiteConfig {
  const json = page.getElementById('site-config')?.textContent;
  if (!json) throw new Error('The page has no #site-config');
  return JSON.parse(json) as SiteConfig;
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
