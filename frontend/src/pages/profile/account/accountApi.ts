import { useQuery } from '@apollo/client/react';

import { client } from '../../../lib/api/client';
import { AccountDocument, type AccountQuery } from '../../../lib/api/generated';
import type { QueryResult } from '../../../lib/query';

export function useAccountQuery(): QueryResult<AccountQuery> {
  const { data, loading, error, refetch } = useQuery(AccountDocument, { client });
  return { data, loading, error, refetch: () => refetch().catch(() => undefined) };
}
