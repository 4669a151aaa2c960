import { useHydrated } from './useHydrated';

/** Where the visitor came from, in the names of the API's fields. `referrer` is a host. */
type Attribution = Partial<Record<'utmSource' | 'utmMedium' | 'utmCampaign' | 'referrer', string>>;

const TAGS = { utmSource: 'utm_source', utmMedium: 'utm_medium', utmCampaign: 'utm_campaign' } as const;

let attribution: Attribution = {};
let invitation: string | undefined;

/**
 * Read where the visitor came from, and the code of an invitation, when the page loads: a navigation inside the site changes
 * the address. It is kept in the memory of this page only; nothing is stored on the device.
 *
 * A second page of this site that the browser loads in full finds the tags in the address of the first.
 *
 * @param referrer `document.referrer`
 */
export function rememberAttribution({ search, hostname }: Location, referrer: string) {
  const from = parseAddress(referrer);
  const isOwn = from?.hostname === hostname;
  attribution = readTags(search);
  if (isOwn) attribution = { ...readTags(from.search), ...attribution };
  else if (from) attribution.referrer = from.hostname;
  invitation = readInvitation(search) ?? (isOwn ? readInvitation(from.search) : undefined);
}

/** Return where the visitor came from; nothing in a prerendered page and while it is hydrated. */
export function useAttribution(): Attribution {
  return useHydrated() ? attribution : {};
}

/** Return the code of the link by which a reader invited the visitor, in the same way. Only the newsletter's form sends it. */
export function useInvitation(): string | undefined {
  return useHydrated() ? invitation : undefined;
}

/** Return a parsed address; null for none and for what an app put in its place. */
function parseAddress(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

function readTags(search: string): Attribution {
  const query = new URLSearchParams(search);
  const values = Object.entries(TAGS).map(([field, tag]) => [field, query.get(tag)] as const);
  return Object.fromEntries(values.filter(([, value]) => value));
}

function readInvitation(search: string): string | undefined {
  return new URLSearchParams(search).get('invitation') ?? undefined;
}
