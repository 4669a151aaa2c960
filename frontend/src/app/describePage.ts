import { DEFAULT_LANGUAGE, type Language, LOCALES } from '../i18n/languages';
import type { SiteConfig } from '../lib/SiteConfig';
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
  const getLocalizedUrl = (code: Language) =>
    `${site.siteUrl}${path ?? ''}${code === DEFAULT_LANGUAGE ? '' : `?lang=${code}`}`;
  const createAlternate = (hreflang: string, code: Language) =>
    createTag('link', { rel: 'alternate', hreflang, href: getLocalizedUrl(code) });

  const tags = [createTag('meta', { name: 'description', content: description })];
  if (path && isPublic) {
    const others = LANGUAGES.filter((code) => code !== language);
    tags.push(
      createTag('link', { rel: 'canonical', href: getLocalizedUrl(language) }),
      ...LANGUAGES.map((code) => createAlternate(code, code)),
      createAlternate('x-default', DEFAULT_LANGUAGE),
      createProperty('og:type', 'website'),
      createProperty('og:site_name', 'Sailing'),
      createProperty('og:title', title),
      createProperty('og:description', description),
      createProperty('og:url', getLocalizedUrl(language)),
      createProperty('og:locale', getOpenGraphLocale(language)),
      ...others.map((code) => createProperty('og:locale:alternate', getOpenGraphLocale(code))),
      createProperty('og:image', site.picture),
      createProperty('og:image:width', '1200'),
      createProperty('og:image:height', '630'),
      createTag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
    );
  } else {
    tags.push(createTag('meta', { name: 'robots', content: 'noindex' }));
  }

  document.head.querySelectorAll(PAGE_ELEMENTS).forEach((tag) => tag.remove());
  document.head.querySelector('title')?.after(...tags);
}

function createProperty(name: string, content: string): HTMLElement {
  return createTag('meta', { property: name, content });
}

function createTag(name: 'link' | 'meta', attributes: Record<string, string>): HTMLElement {
  const tag = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) tag.setAttribute(key, value);
  return tag;
}

/** Return the locale as Open Graph writes it, with an underscore. */
function getOpenGraphLocale(language: Language): string {
  return LOCALES[language].replace('-', '_');
}
