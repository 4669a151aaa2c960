/** Above how many unread notifications a badge stops counting (spec section 9). */
export const DESKTOP_LIMIT = 99;
export const PHONE_LIMIT = 9;

/**
 * What a badge reads.
 *
 * @param count how many notifications are unread
 * @param limit the highest number that it spells out
 * @returns nothing at 0, where no badge shows
 */
export function badgeLabel(count: number, limit: number): string | undefined {
  if (count <= 0) return undefined;
  return count > limit ? `${limit}+` : String(count);
}
