/** The highest counts that a badge shows (spec section 9). */
export const DESKTOP_LIMIT = 99;
export const PHONE_LIMIT = 9;

/** Return the text of a badge: `9+` above the limit 9, undefined at 0. */
export function badgeLabel(count: number, limit: number): string | undefined {
  if (count <= 0) return undefined;
  return count > limit ? `${limit}+` : String(count);
}
