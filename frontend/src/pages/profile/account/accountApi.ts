import { useQuery } from '@apollo/client/react';

import { client } from '../../../api/client';
import { AccountDocument, type AccountQuery } from '../../../api/generated';
import type { QueryResult } from '../../../loading/query';

export function useAccountQuery(): QueryResult<AccountQuery> {
  const { data, loading, error, refetch } = useQuery(AccountDocument, { client });
  return { data, loading, error, refetch: () => refetch().catch(() => undefined) };
}
