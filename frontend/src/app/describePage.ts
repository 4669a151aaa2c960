import { DEFAULT_LANGUAGE, type Language, LOCALES } from '../i18n/languages';
import type { SiteConfig } from '../config/SiteConfig';
import type { PageEntry } from './routes';

interface PageDescription {
  entry: PageEntry;
  language: Language;
  title: string;
  description: string;
  site: SiteConfig;
}

/** The elements that templates/index.html writes for the page, without the title. */
const PAGE_ELEMENTS = [
  'meta[name="description"]',
  'link[rel="canonical"]',
  'link[rel="alternate"]',
  'meta[property^="og:"]',
  'meta[name^="twitter:"]',
  'meta[name="robots"]',
].join();

const LANGUAGES = Object.keys(LOCALES) as Language[];

/** Write the head that Django would have sent (sailing/web/pages/views.py), for sharing and saving the page. */
export function describePage({ entry, language, title, description, site }: PageDescription): void {
  const { path, isPublic } = entry;
  const localized = (code: Language) =>
    `${site.siteUrl}${path ?? ''}${code === DEFAULT_LANGUAGE ? '' : `?lang=${code}`}`;
  const alternate = (hreflang: string, code: Language) =>
    element('link', { rel: 'alternate', hreflang, href: localized(code) });

  const tags = [element('meta', { name: 'description', content: description })];
  if (path && isPublic) {
    const others = LANGUAGES.filter((code) => code !== language);
    tags.push(
      element('link', { rel: 'canonical', href: localized(language) }),
      ...LANGUAGES.map((code) => alternate(code, code)),
      alternate('x-default', DEFAULT_LANGUAGE),
      property('og:type', 'website'),
      property('og:site_name', 'Sailing'),
      property('og:title', title),
      property('og:description', description),
      property('og:url', localized(language)),
      property('og:locale', openGraphLocale(language)),
      ...others.map((code) => property('og:locale:alternate', openGraphLocale(code))),
      property('og:image', site.picture),
      property('og:image:width', '1200'),
      property('og:image:height', '630'),
      element('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    );
  } else {
    tags.push(element('meta', { name: 'robots', content: 'noindex' }));
  }

  document.head.querySelectorAll(PAGE_ELEMENTS).forEach((tag) => tag.remove());
  document.head.querySelector('title')?.after(...tags);
}

function property(name: string, content: string): HTMLElement {
  return element('meta', { property: name, content });
}

function element(name: 'link' | 'meta', attributes: Record<string, string>): HTMLElement {
  const tag = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) tag.setAttribute(key, value);
  return tag;
}

/** Return the locale as Open Graph writes it, with an underscore. */
function openGraphLocale(language: Language): string {
  return LOCALES[language].replace('-', '_');
}
