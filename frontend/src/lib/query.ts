import { useIntl } from 'react-intl';

import type { SampleName } from '../i18n/catalogues';

/** The result of a query as a page reads it; Apollo's `useQuery` returns this shape too. */
export interface QueryResult<Data> {
  data: Data | undefined;
  loading: boolean;
  error: Error | undefined;
  refetch: () => unknown;
}

/** Return sample data as the result of a query that has succeeded. */
export function createSampleResult<Data>(data: Data): QueryResult<Data> {
  return { data, loading: false, error: undefined, refetch: () => undefined };
}

/** Return sample data in the language of the page; it is loaded with the page, as its messages are. */
export function useSample(name: SampleName): unknown {
  const messages: Record<string, unknown> = useIntl().messages;
  return messages[name];
}

/** An item of the sample that happened some time before the visit. */
export type SampleItem<Item extends { createdAt: string }> = Omit<Item, 'createdAt'> & { minutesAgo: number };

/** Return an item of the sample with its date. */
export function addCreatedAt<Item extends { createdAt: string }>(item: SampleItem<Item>, now: number) {
  const { minutesAgo, ...rest } = item;
  return { ...rest, createdAt: new Date(now - minutesAgo * 60_000).toISOString() };
}
