import type { ReactNode } from 'react';

import type { QueryResult } from '../lib/query';
import { LoadState } from './StateCard';

interface QueryBoundaryProps<Data> {
  query: QueryResult<Data>;
  /** Replaces the children when the query returns an empty list. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Render the data of a query or, until there is any, that it is loading or has failed. */
export function QueryBoundary<Data>({
  query: { data, error, refetch },
  empty,
  children,
}: QueryBoundaryProps<Data>) {
  if (data === undefined) return <LoadState hasFailed={error !== undefined} onRetry={refetch} />;
  return Array.isArray(data) && data.length === 0 && empty ? empty : children(data);
}
