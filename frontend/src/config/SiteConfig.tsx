import { createContext, type ReactNode, use } from 'react';

/** What the server's settings say to the page. */
export interface SiteConfig {
  /** The year of the launch, which the footer and the copy name. */
  launchYear: string;
  /** Google Analytics' measurement id; empty when nothing is measured. */
  gaMeasurementId: string;
  /** Where errors are reported, the project's address at Sentry; empty when nowhere. */
  sentryDsn: string;
  /** The site's own address, without a slash at its end. */
  siteUrl: string;
  /** The address of the picture that a link preview shows. */
  picture: string;
}

const SiteConfigContext = createContext<SiteConfig | undefined>(undefined);

/**
 * The settings that Django wrote into the page, in the JSON script `site-config`.
 *
 * @throws {Error} when the page carries none
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
 * The server's settings.
 *
 * @throws {Error} outside a SiteConfigProvider
 */
export function useSiteConfig(): SiteConfig {
  const config = use(SiteConfigContext);
  if (!config) throw new Error('useSiteConfig must be used within a SiteConfigProvider');
  return config;
}
