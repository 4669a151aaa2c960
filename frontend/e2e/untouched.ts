/**
 * Marks what looks at a page that nobody has touched yet. It is looked at in a whole Chromium: one without windows moves
 * a pointer over each page by itself.
 */
export const UNTOUCHED = { tag: '@untouched' };
