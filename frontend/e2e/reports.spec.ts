import type { BrowserContext, Page, Request } from '@playwright/test';

import config from '../../playwright.config';
import { type Account, enrol, expectSignedIn, keepToken } from './accounts';
import { chunk } from './chunks';
import { expect, expectAlive, test } from './site';

const MEMBER: Account = { firstName: 'Ludmila', lastName: 'Dark', email: 'reported@example.org' };
const ADDRESS = `/profile?about=${MEMBER.email}#${MEMBER.lastName}`;

/** Lets the page's own script throw on F8, with words about the visitor, and on F9 leave a promise to fail. */
const ACCIDENTS = `
  addEventListener('keydown', ({ key }) => {
    if (key === 'F8') throw new Error(localStorage.getItem('sailing.token') + ' of ${MEMBER.email}');
    if (key === 'F9') Promise.reject(new TypeError('boat is undefined'));
  });
`;

async function addAccidents(page: Page): Promise<void> {
  await page.route(/\/static\/app\/main\.\w+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()};${ACCIDENTS}` });
  });
}

/** Answers in the place of all other hosts; returns what they were asked. */
async function standInForOthers(context: BrowserContext): Promise<Request[]> {
  const requests: Request[] = [];
  await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, async (route) => {
    requests.push(route.request());
    await route.fulfill({ json: {}, headers: { 'Access-Control-Allow-Origin': '*' } });
  });
  return requests;
}

/** Notes whether the page asks for the code that reports. */
function watchForReporter(page: Page): { isLoaded: () => boolean } {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return { isLoaded: () => paths.includes(chunk('reports')) };
}

test.describe('on a site with a project at Sentry', () => {
  test('what fails is told there, and nothing about the visitor', async ({ page, context, problems }) => {
    const requests = await standInForOthers(context);
    const reporter = watchForReporter(page);
    await addAccidents(page);
    const token = await enrol(page.request, MEMBER);
    await keepToken(page, token);
    await page.goto(ADDRESS);
    await expectSignedIn(page, MEMBER);
    expect(reporter.isLoaded()).toBe(false);

    await page.keyboard.press('F8');
    await expect.poll(() => requests).toHaveLength(1);
    await page.keyboard.press('F9');
    await expect.poll(() => requests).toHaveLength(2);
    expect(problems.splice(0)).toHaveLength(2);

    const events = requests.map((request) => {
      const [, , event] = (request.postDataBuffer()?.toString() ?? '').split('\n');
      return JSON.parse(event ?? '') as Record<string, unknown>;
    });
    const main = expect.stringMatching(/\/static\/app\/main\.\w+\.js$/) as unknown;
    const stacktrace = {
      frames: expect.arrayContaining([expect.objectContaining({ filename: main })]) as object,
    };
    expect(events).toMatchObject([
      { exception: { values: [{ type: 'Error', value: '', stacktrace }] } },
      { exception: { values: [{ type: 'TypeError', value: 'boat is undefined' }] } },
    ]);
    for (const request of requests) {
      expect(request.url()).toMatch(/^https:\/\/reports\.example\/api\/42\/envelope\/\?/);
      const headers = await request.allHeaders();
      const sent = [request.url(), JSON.stringify(headers), request.postDataBuffer()?.toString()].join('\n');
      for (const words of [
        MEMBER.firstName,
        MEMBER.lastName,
        MEMBER.email,
        token,
        'profile',
        'about=',
        'cookie',
      ]) {
        expect(sent.toLowerCase()).not.toContain(words.toLowerCase());
      }
    }
  });
});

test.describe('on a site without one', () => {
  test.use({ baseURL: config.projects?.find(({ name }) => name === 'site')?.use?.baseURL });

  test('what fails loads nothing and tells nobody', async ({ page, context, problems }) => {
    const requests = await standInForOthers(context);
    const reporter = watchForReporter(page);
    await addAccidents(page);
    await page.goto('/newsletter');
    await expectAlive(page.getByRole('main'));
    await page.keyboard.press('F8');
    await page.keyboard.press('F9');
    await expect.poll(() => problems).toHaveLength(2);
    problems.splice(0);
    await page.waitForLoadState('networkidle');
    expect(reporter.isLoaded()).toBe(false);
    expect(requests).toEqual([]);
  });
});
