import { useQuery } from '@apollo/client/react';

import { client } from '../../../api/client';
import {
  AccountDocument,
  type AccountQuery,
  InvitationDocument,
  type InvitationQuery,
  NewsletterPreferencesDocument,
  type NewsletterPreferencesFieldsFragment,
} from '../../../api/generated';
import type { QueryResult } from '../../../loading/query';

export function useAccountQuery(): QueryResult<AccountQuery['account']> {
  const { data, loading, error, refetch } = useQuery(AccountDocument, { client });
  return { data: data?.account, loading, error, refetch: () => refetch().catch(() => undefined) };
}

export function useNewsletterPreferencesQuery(): QueryResult<NewsletterPreferencesFieldsFragment> {
  const { data, loading, error, refetch } = useQuery(NewsletterPreferencesDocument, { client });
  return {
    data: data?.newsletterPreferences,
    loading,
    error,
    refetch: () => refetch().catch(() => undefined),
  };
}

export function useInvitationQuery(): QueryResult<InvitationQuery> {
  const { data, loading, error, refetch } = useQuery(InvitationDocument, { client });
  return { data, loading, error, refetch: () => refetch().catch(() => undefined) };
}
