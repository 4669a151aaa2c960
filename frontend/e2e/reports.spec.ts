import type { BrowserContext, Page, Request } from '@playwright/test';

import { MEASURED_SITE } from '../playwright.config';
import { becomeMember, newAccount, userMenu } from './accounts';
import { isMain } from './chunks';
import { expect, test } from './site';

test.use(MEASURED_SITE);

const MEMBER = newAccount('Ludmila', 'Dark');

/** Throw in the page's own script on F8, with data of the visitor, and reject a promise on F9. */
const FAULTS = `
  addEventListener('keydown', ({ key }) => {
    if (key === 'F8') throw new Error(localStorage.getItem('sailing.token') + ' of ${MEMBER.email}');
    if (key === 'F9') Promise.reject(new TypeError('boat is undefined'));
  });
`;

async function injectFaults(page: Page): Promise<void> {
  await page.route(isMain, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};${FAULTS}` });
  });
}

/** Answer in place of all other hosts. Return the requests to them. */
async function stubOtherHosts(context: BrowserContext): Promise<Request[]> {
  const requests: Request[] = [];
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, async (route) => {
    requests.push(route.request());
    await route.fulfill({ json: {}, headers: { 'Access-Control-Allow-Origin': '*' } });
  });
  return requests;
}

test('errors are reported to Sentry, without anything about the visitor', async ({
  page,
  context,
  problems,
}) => {
  const requests = await stubOtherHosts(context);
  await injectFaults(page);
  const { token } = await becomeMember(page, MEMBER);
  await page.goto(`/profile?about=${MEMBER.email}#${MEMBER.lastName}`);
  await expect(userMenu(page, MEMBER)).toBeVisible();
  await page.keyboard.press('F8');
  await expect.poll(() => requests).toHaveLength(1);
  await page.keyboard.press('F9');
  await expect.poll(() => requests).toHaveLength(2);
  await expect.poll(() => problems).toHaveLength(2);
  problems.splice(0);

  const bodies = requests.map((request) => request.postDataBuffer()?.toString() ?? '');
  const filename = expect.stringMatching(/\/static\/app\/main\.\w+\.js$/) as unknown;
  const stacktrace = { frames: expect.arrayContaining([expect.objectContaining({ filename })]) as object };
  expect(bodies.map((body) => JSON.parse(body.split('\n')[2] ?? '') as unknown)).toMatchObject([
    { exception: { values: [{ type: 'Error', value: '', stacktrace }] } },
    { exception: { values: [{ type: 'TypeError', value: 'boat is undefined' }] } },
  ]);
  for (const request of requests) {
    expect(request.url()).toMatch(/^https:\/\/reports\.example\/api\/42\/envelope\/\?/);
    const sent = [request.url(), JSON.stringify(await request.allHeaders()), ...bodies]
      .join('\n')
      .toLowerCase();
    for (const secret of [MEMBER.lastName, MEMBER.email, token, 'profile', 'cookie'])
      expect(sent).not.toContain(secret.toLowerCase());
  }
});
