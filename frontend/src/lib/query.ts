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

/** A thing of the sample that happened some time before the visit. */
export type Past<Thing extends { createdAt: string }> = Omit<Thing, 'createdAt'> & { minutesAgo: number };

/** Return a thing of the sample with its date. */
export function datePast<Thing extends { createdAt: string }>(past: Past<Thing>, now: number) {
  const { minutesAgo, ...thing } = past;
  return { ...thing, createdAt: new Date(now - minutesAgo * 60_000).toISOString() };
}
