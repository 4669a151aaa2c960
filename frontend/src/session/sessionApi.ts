import type { OperationVariables, TypedDocumentNode } from '@apollo/client';

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

async function mutate<Data, Variables extends OperationVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  token?: string,
): Promise<Data> {
  return requireData(await client.mutate({ mutation, variables, context: token ? { token } : {} }));
}

/** Fetch the current user, once (spec section 7). */
export async function fetchMember() {
  return requireData(await client.query({ query: MeDocument, context: { retries: false } })).me;
}

export const signIn = async (input: SignInInput) => (await mutate(SignInDocument, { input })).signIn;

export const signUp = async (input: SignUpInput) => (await mutate(SignUpDocument, { input })).signUp;

export const updateProfile = async (input: UpdateProfileInput) =>
  (await mutate(UpdateProfileDocument, { input })).updateProfile;

export const resendVerification = async () =>
  (await mutate(ResendVerificationDocument, {})).resendVerification;

/** Change the password, and return the token of the session that goes on. */
export const changePassword = async (input: ChangePasswordInput) =>
  (await mutate(ChangePasswordDocument, { input })).changePassword.token;

export const signOutEverywhere = () => mutate(SignOutEverywhereDocument, {});

export const deleteAccount = (input: DeleteAccountInput) => mutate(DeleteAccountDocument, { input });

/** Revoke a token on the server. */
export const logout = (token: string) => mutate(LogoutDocument, {}, token);

function requireData<Data>({ data }: { data?: Data | undefined }): Data {
  // Without a message, so that the form shows its own (spec section 8).
  if (!data) throw new Error();
  return data;
}
