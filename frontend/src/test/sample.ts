import type { SampleName } from '../i18n/catalogues';
import type { Language } from '../i18n/languages';
import { catalogues } from './catalogues';

/** Return sample data as a page gets it, with dates as offsets. */
export function getSample(name: SampleName, language: Language = 'en'): unknown {
  return (catalogues[language] as Record<string, unknown>)[name];
}
