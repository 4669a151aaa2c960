/** The languages of the interface, each with its locale for dates, numbers and plurals. */
export const LOCALES = { en: 'en-US', cs: 'cs-CZ' } as const;

export type Language = keyof typeof LOCALES;

/** The language of visitors who have not chosen one (spec section 4). */
export const DEFAULT_LANGUAGE: Language = 'en';
