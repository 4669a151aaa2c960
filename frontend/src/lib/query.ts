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
