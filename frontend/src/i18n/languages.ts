/** The languages of the interface, and the locale by which each writes dates, numbers and plurals. */
export const LOCALES = { en: 'en-US', cs: 'cs-CZ' } as const;

export type Language = keyof typeof LOCALES;

/** English for everyone who did not choose another language (spec section 4). */
export const DEFAULT_LANGUAGE: Language = 'en';

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LOCALES, code);
}
