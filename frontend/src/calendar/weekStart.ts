import type { Language } from '../i18n/languages';
import type { Weekday } from './month';

/**
 * The day that weeks begin with: Sunday in English, Monday in Czech, as Unicode CLDR has it for the United States
 * and for Czechia. Not every browser can tell (`Intl.Locale` lacks `weekInfo` in Firefox).
 */
export const FIRST_WEEKDAY: Record<Language, Weekday> = { en: 0, cs: 1 };
