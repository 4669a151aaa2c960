import type { APIRequestContext, Page } from '@playwright/test';

import { expect } from './site';

/** What the session keeps in local storage (spec section 9). */
export const TOKEN_KEY = 'sailing.token';

export const PASSWORD = 'Blue-Water9!';

export interface Account {
  firstName: string;
  lastName: string;
  email: string;
}

/** Sends one operation straight to the API, with a token or without. */
export async function call(
  request: APIRequestContext,
  query: string,
  { variables = {}, token }: { variables?: object; token?: string | null } = {},
): Promise<{ data: Record<string, unknown> | null; errors?: { extensions: { code: string } }[] }> {
  const response = await request.post('/graphql', {
    data: { query, variables },
    ...(token && { headers: { Authorization: `Bearer ${token}` } }),
  });
  return response.json() as ReturnType<typeof call>;
}

/** Makes an account without the page. @returns its token */
export async function enrol(request: APIRequestContext, account: Account): Promise<string> {
  const { data } = await call(
    request,
    'mutation signUp($input: SignUpInput!) { signUp(input: $input) { token } }',
    { variables: { input: { ...account, password: PASSWORD } } },
  );
  if (!data) throw new Error(`No account for ${account.email}`);
  return (data.signUp as { token: string }).token;
}

/** Signs in without the page. @returns the token */
export async function enter(
  request: APIRequestContext,
  input: { email: string; password: string },
): Promise<string> {
  const { data } = await call(
    request,
    'mutation signIn($input: SignInInput!) { signIn(input: $input) { token } }',
    { variables: { input } },
  );
  if (!data) throw new Error(`${input.email} cannot sign in`);
  return (data.signIn as { token: string }).token;
}

/** What a token is answered when it asks who its member is. */
export async function codeOf(request: APIRequestContext, token: string): Promise<string | undefined> {
  const { errors } = await call(request, 'query me { me { id } }', { token });
  return errors?.[0]?.extensions.code;
}

/** Has every page of the browser's next load find a token in its storage. */
export async function keepToken(page: Page, token: string): Promise<void> {
  await page.goto('/robots.txt');
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [TOKEN_KEY, token] as const);
}

/** The token in the storage of a page. */
export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
}

/** Fills in the form of /signin, in English, and sends it. */
export async function signInAs(page: Page, { email }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set Sail' }).click();
}

/** Fails unless the bar names the member, within so many milliseconds when they are given. */
export async function expectSignedIn(
  page: Page,
  { firstName }: Account,
  options: { timeout?: number } = {},
): Promise<void> {
  const menu = page.getByRole('banner').getByRole('button', { name: firstName, exact: true });
  await expect(menu).toBeVisible(options);
}
