import { client } from '../lib/api/client';
import {
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
} from '../lib/api/generated';

export { setAuthTokenSource } from '../lib/api/client';

export async function signIn(input: SignInInput) {
  const result = await client.mutate({ mutation: SignInDocument, variables: { input } });
  return requireData(result).signIn;
}

export async function signUp(input: SignUpInput) {
  const result = await client.mutate({ mutation: SignUpDocument, variables: { input } });
  return requireData(result).signUp;
}

/** Fetch the current user, once (spec section 7). */
export async function fetchMember() {
  const result = await client.query({
    query: MeDocument,
    context: { retries: false },
  });
  const { me } = requireData(result);
  return { ...me, avatar: me.avatar || null };
}

export async function updateProfile(input: UpdateProfileInput) {
  const result = await client.mutate({ mutation: UpdateProfileDocument, variables: { input } });
  return requireData(result).updateProfile;
}

export async function resendVerification() {
  const result = await client.mutate({ mutation: ResendVerificationDocument });
  return requireData(result).resendVerification;
}

/** Change the password, and return the token of the session that goes on. */
export async function changePassword(input: ChangePasswordInput) {
  const result = await client.mutate({ mutation: ChangePasswordDocument, variables: { input } });
  return requireData(result).changePassword.token;
}

export async function signOutEverywhere(): Promise<void> {
  await client.mutate({ mutation: SignOutEverywhereDocument });
}

export async function deleteAccount(input: DeleteAccountInput): Promise<void> {
  await client.mutate({ mutation: DeleteAccountDocument, variables: { input } });
}

/** Revoke a token on the server. */
export async function logout(token: string): Promise<void> {
  await client.mutate({ mutation: LogoutDocument, context: { token } });
}

function requireData<Data>({ data }: { data?: Data | undefined }): Data {
  // Without a message, so that the form shows its own (spec section 8).
  if (!data) throw new Error();
  return data;
}
