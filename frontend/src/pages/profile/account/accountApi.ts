import { useQuery } from '@apollo/client/react';

import { client } from '../../../api/client';
import {
  AccountDocument,
  type AccountQuery,
  CancelEmailChangeDocument,
  type EmailChangeInput,
  NewsletterPreferencesDocument,
  type NewsletterPreferencesFieldsFragment,
  type NewsletterPreferencesInput,
  PersonalDataDocument,
  RequestEmailChangeDocument,
  UpdateNewsletterPreferencesDocument,
} from '../../../api/generated';
import type { QueryResult } from '../../../loading/query';

/** The answers are personal and change by links in mails too, so each is asked for anew. */
const UNCACHED = { fetchPolicy: 'no-cache' } as const;

export function useAccountQuery(): QueryResult<AccountQuery['account']> {
  const { data, loading, error, refetch } = useQuery(AccountDocument, { client, ...UNCACHED });
  return { data: data?.account, loading, error, refetch: () => refetch().catch(() => undefined) };
}

export function useNewsletterPreferencesQuery(): QueryResult<NewsletterPreferencesFieldsFragment> {
  const { data, loading, error, refetch } = useQuery(NewsletterPreferencesDocument, { client, ...UNCACHED });
  return {
    data: data?.newsletterPreferences,
    loading,
    error,
    refetch: () => refetch().catch(() => undefined),
  };
}

/** Fetch both documents with everything that is stored about the member. */
export async function fetchPersonalData() {
  const { data } = await client.query({ query: PersonalDataDocument, ...UNCACHED });
  // Without a message, so that the page shows its own.
  if (!data) throw new Error();
  return data.personalData;
}

export async function requestEmailChange(input: EmailChangeInput): Promise<void> {
  await client.mutate({ mutation: RequestEmailChangeDocument, variables: { input }, ...UNCACHED });
}

export async function cancelEmailChange(): Promise<void> {
  await client.mutate({ mutation: CancelEmailChangeDocument, ...UNCACHED });
}

export async function updateNewsletterPreferences(input: NewsletterPreferencesInput): Promise<void> {
  await client.mutate({ mutation: UpdateNewsletterPreferencesDocument, variables: { input }, ...UNCACHED });
}
