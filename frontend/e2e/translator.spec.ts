import type { Page } from '@playwright/test';

import { becomeMember, createAccount, newAccount, PASSWORD } from './accounts';
import { ROUTES } from './pages';
import { expect, heading, open, SWEEP, test } from './site';

/** Noon, so that ages and dates stay the same. */
const VISIT = new Date(2026, 6, 15, 12);

/**
 * Translate the page as a browser does: each text moves into elements of the translator, and so does what appears later.
 *
 * A translation adds a dot.
 */
async function translate(page: Page, { isRepeated = true } = {}): Promise<void> {
  await page.evaluate((isWatched) => {
    const isTranslated = (node: Node) => node.parentElement?.closest('font, script, style, textarea, option');
    function wrapTexts() {
      const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (nodes.nextNode()) {
        const { currentNode: node } = nodes;
        if (node.textContent?.trim() && !isTranslated(node)) texts.push(node);
      }
      for (const text of texts) {
        const outer = document.createElement('font');
        const inner = document.createElement('font');
        inner.textContent = `${text.textContent}·`;
        outer.append(inner);
        (text as Text).replaceWith(outer);
      }
    }
    wrapTexts();
    if (isWatched)
      new MutationObserver(wrapTexts).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    document.documentElement.lang = 'de';
    document.documentElement.classList.add('translated-ltr');
  }, isRepeated);
}

/** Return the texts of the page, without the dots of the translation. */
async function readTexts(page: Page): Promise<string[]> {
  const texts = await page.locator('#root').evaluate((root) => (root as HTMLElement).innerText);
  return texts
    .replaceAll(/·/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

const languageLink = (page: Page) => page.locator('a[hreflang]').filter({ visible: true }).first();
const field = (page: Page, name: string) => page.locator(`main [name=${name}]`);
const submit = (page: Page) => page.locator('main form button[type=submit]').click();
const invalid = (page: Page) => page.locator('main [aria-invalid]');

for (const { path, access } of ROUTES) {
  const details = path === '/marketplace' ? {} : SWEEP;
  test(`translated, ${path} changes all its texts`, details, async ({ page }) => {
    await page.clock.setFixedTime(VISIT);
    if (access === 'member') await becomeMember(page);
    await open(page, `${path}?lang=cs`);
    await expect(languageLink(page)).toBeVisible();
    await page.waitForLoadState('networkidle'); // a part of the page may be loaded later
    const expected = await readTexts(page);
    await open(page, `${path}?lang=en`);
    await expect(languageLink(page)).toBeVisible();
    await translate(page, { isRepeated: false });
    await languageLink(page).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
    await expect.poll(() => readTexts(page)).toEqual(expected);
  });
}

test('translated, signing up and in with the second password works', SWEEP, async ({ page }) => {
  const account = newAccount();
  await createAccount(page.request, account);
  await open(page, '/signup');
  await translate(page);
  await submit(page);
  await expect(invalid(page)).toHaveCount(5);
  await field(page, 'captainLicense').check();
  await field(page, 'captainLicense').uncheck();
  for (const name of ['firstName', 'lastName', 'email'] as const) await field(page, name).fill(account[name]);
  for (const name of ['password', 'confirmPassword']) await field(page, name).fill(PASSWORD);
  await submit(page);
  await expect(invalid(page), 'the address is taken').toHaveCount(1);
  await expect(field(page, 'lastName')).toHaveValue(account.lastName);

  await open(page, '/signin');
  await translate(page);
  await field(page, 'email').fill(account.email);
  await field(page, 'password').fill('not the password');
  await submit(page);
  await expect(page.locator('form').getByRole('alert')).toHaveText(/./);
  await field(page, 'password').fill(PASSWORD);
  await submit(page);
  await expect(page).toHaveURL('/dashboard');
  await expect(heading(page)).toBeVisible();
});
