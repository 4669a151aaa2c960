import { randomUUID } from 'node:crypto';

import type { APIRequestContext, Cookie, Locator, Page } from '@playwright/test';

import { expect, waitForHydration } from './site';

/** The key of the token in local storage (spec section 9). */
const TOKEN_KEY = 'sailing.token';

export const PASSWORD = 'Blue-Water9!';

/** The superuser that scripts/e2e_database.py creates, without a name. */
export const ADMIN = { email: 'admin@sailing.example', password: 'only for these tests' };

export interface Account {
  firstName: string;
  lastName: string;
  email: string;
}

export function newAccount(firstName = 'Eva', lastName = 'Malá'): Account {
  return { firstName, lastName, email: newAddress() };
}

export function newAddress(): string {
  return `${randomUUID()}@example.org`;
}

interface Answer {
  data: Record<string, unknown> | null;
  errors?: { extensions: { code: string } }[];
}

/**
 * Send an operation to the API without the page, again while it is limited: tests run at the same time from one network,
 * of which the site hashes one password after the other.
 */
export async function callApi(
  request: APIRequestContext,
  query: string,
  { variables = {}, token }: { variables?: object; token?: string } = {},
): Promise<Answer> {
  const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
  let answer: Answer = { data: null };
  await expect(async () => {
    const response = await request.post('/graphql', { data: { query, variables }, headers });
    answer = (await response.json()) as Answer;
    expect(answer.errors?.[0]?.extensions.code).not.toBe('RATE_LIMITED');
  }).toPass({ timeout: 5_000 });
  return answer;
}

/** Create an account and return its token. */
export async function createAccount(request: APIRequestContext, account: Account): Promise<string> {
  const { data, errors } = await callApi(
    request,
    'mutation signUp($input: SignUpInput!) { signUp(input: $input) { token } }',
    { variables: { input: { ...account, password: PASSWORD } } },
  );
  if (!data) throw new Error(`No account was created for ${account.email}: ${JSON.stringify(errors)}`);
  return (data.signUp as { token: string }).token;
}

/** Return a new token, or undefined when the password is wrong. */
export async function requestToken(
  request: APIRequestContext,
  { email }: { email: string },
  password: string,
): Promise<string | undefined> {
  const { data } = await callApi(
    request,
    'mutation signIn($input: SignInInput!) { signIn(input: $input) { token } }',
    { variables: { input: { email, password } } },
  );
  return (data?.signIn as { token: string } | undefined)?.token;
}

/** Return the error code of `me` for a token, or undefined when the token is valid. */
export async function getTokenError(request: APIRequestContext, token: string): Promise<string | undefined> {
  const { errors } = await callApi(request, 'query me { me { id } }', { token });
  return errors?.[0]?.extensions.code;
}

/** Store a token where the next page finds it. */
export async function storeToken(page: Page, token: string): Promise<void> {
  await page.goto('/robots.txt');
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [TOKEN_KEY, token] as const);
}

export function getStoredToken(page: Page): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
}

/** Create an account and sign the browser in, without the form. Return the account and its token. */
export async function becomeMember(
  page: Page,
  account = newAccount(),
): Promise<{ account: Account; token: string }> {
  const token = await createAccount(page.request, account);
  await storeToken(page, token);
  return { account, token };
}

/** Fill in and submit the English sign-in form. */
export async function signIn(page: Page, { email }: Account): Promise<void> {
  await waitForHydration(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Set Sail' }).click();
}

/** The button of the user menu. */
export function userMenu(page: Page, { firstName }: Account): Locator {
  return page.getByRole('banner').getByRole('button', { name: firstName, exact: true });
}

let adminSession: Cookie[] = [];

/** Sign the browser in to Django admin, without the form. Signing in takes a while, so each worker does it once. */
export async function becomeAdmin(page: Page): Promise<void> {
  const context = page.context();
  if (adminSession.length === 0) {
    await context.request.get('/admin/login/');
    const token = (await context.cookies()).find(({ name }) => name === 'csrftoken')?.value ?? '';
    const form = { username: ADMIN.email, password: ADMIN.password, csrfmiddlewaretoken: token };
    await context.request.post('/admin/login/', { form });
    adminSession = (await context.cookies()).filter(({ name }) => name === 'sessionid');
  }
  await context.addCookies(adminSession);
}

/** Sign in to Django admin by the form. */
export async function signInToAdmin(page: Page, { email, password } = ADMIN): Promise<void> {
  await page.goto('/admin/');
  await page.locator('#id_username').fill(email);
  await page.locator('#id_password').fill(password);
  await page.locator('#id_password').press('Enter');
  await page.waitForURL('/admin/');
}

/** Open the list of subscriptions with an address in Django admin, in English. Return its rows. */
export async function openSubscriptions(page: Page, address: string): Promise<Locator> {
  await page.request.get('/?lang=en');
  await becomeAdmin(page);
  await page.goto(`/admin/newsletter/subscription/?q=${encodeURIComponent(address)}`);
  return page.locator('#result_list tbody tr');
}
