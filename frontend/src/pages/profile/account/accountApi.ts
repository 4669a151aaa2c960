import { useQuery } from '@apollo/client/react';

import { client } from '../../../api/client';
import {
  AccountDocument,
  type AccountQuery,
  type EmailChangeInput,
  NewsletterPreferencesDocument,
  type NewsletterPreferencesFieldsFragment,
  type NewsletterPreferencesInput,
  PersonalDataDocument,
  RequestEmailChangeDocument,
  UpdateNewsletterPreferencesDocument,
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

/** Fetch both documents with everything that is stored about the member. */
export async function fetchPersonalData() {
  const { data } = await client.query({ query: PersonalDataDocument });
  // Without a message, so that the page shows its own.
  if (!data) throw new Error();
  return data.personalData;
}

export async function requestEmailChange(input: EmailChangeInput): Promise<void> {
  await client.mutate({ mutation: RequestEmailChangeDocument, variables: { input } });
}

export async function updateNewsletterPreferences(input: NewsletterPreferencesInput): Promise<void> {
  await client.mutate({ mutation: UpdateNewsletterPreferencesDocument, variables: { input } });
}
