import { client } from '../api/client';
import {
  AccountDocument,
  ChangePasswordDocument,
  type ChangePasswordInput,
  DeleteAccountDocument,
  type DeleteAccountInput,
  LogoutDocument,
  MeDocument,
  ResendVerificationDocument,
  SignInDocument,
  type SignInInput,
  SignOutEverywhereDocument,
  SignUpDocument,
  type SignUpInput,
  UpdateProfileDocument,
  type UpdateProfileInput,
} from '../api/generated';

export { setAuthTokenSource } from '../api/client';

/** The session store caches the answers itself. */
const UNCACHED = { fetchPolicy: 'no-cache' } as const;

export async function signIn(input: SignInInput) {
  const result = await client.mutate({ mutation: SignInDocument, variables: { input }, ...UNCACHED });
  return requireData(result).signIn;
}

export async function signUp(input: SignUpInput) {
  const result = await client.mutate({ mutation: SignUpDocument, variables: { input }, ...UNCACHED });
  return requireData(result).signUp;
}

/**
 * Fetch the current user, once (spec section 7). Never shares the answer to a query that another session has sent.
 */
export async function fetchMember() {
  const result = await client.query({
    query: MeDocument,
    ...UNCACHED,
    context: { queryDeduplication: false, retries: false },
  });
  const { me } = requireData(result);
  return { ...me, avatar: me.avatar || null };
}

export async function updateProfile(input: UpdateProfileInput) {
  const result = await client.mutate({ mutation: UpdateProfileDocument, variables: { input }, ...UNCACHED });
  return requireData(result).updateProfile;
}

/** Return the address that a member has asked for and has yet to confirm. */
export async function fetchPendingEmail() {
  return requireData(await client.query({ query: AccountDocument, ...UNCACHED })).account.pendingEmail;
}

export async function resendVerification() {
  const result = await client.mutate({ mutation: ResendVerificationDocument, ...UNCACHED });
  return requireData(result).resendVerification;
}

/** Change the password, and return the token of the session that goes on. */
export async function changePassword(input: ChangePasswordInput) {
  const result = await client.mutate({ mutation: ChangePasswordDocument, variables: { input }, ...UNCACHED });
  return requireData(result).changePassword.token;
}

export async function signOutEverywhere(): Promise<void> {
  await client.mutate({ mutation: SignOutEverywhereDocument, ...UNCACHED });
}

export async function deleteAccount(input: DeleteAccountInput): Promise<void> {
  await client.mutate({ mutation: DeleteAccountDocument, variables: { input }, ...UNCACHED });
}

/** Revoke a token on the server. */
export async function logout(token: string): Promise<void> {
  await client.mutate({ mutation: LogoutDocument, ...UNCACHED, context: { token } });
}

/** Clear every cached answer. */
export function clearCache(): void {
  void client.clearStore();
}

function requireData<Data>({ data }: { data?: Data | undefined }): Data {
  // Without a message, so that the form shows its own (spec section 8).
  if (!data) throw new Error();
  return data;
}
