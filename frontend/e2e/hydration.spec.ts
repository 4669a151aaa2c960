import type { Page } from '@playwright/test';

import { hold, isMain } from './chunks';
import { message } from './pages';
import { chooseLanguage, expect, open, PHONE, SWEEP, test, UNTOUCHED, waitForHydration } from './site';

const hero = (page: Page) => page.getByRole('heading', { level: 1 });

test.describe('while a picture is loading', UNTOUCHED, () => {
  const isScript = (address: URL) => address.pathname.endsWith('.js');

  test('the page loads one script, and the others when the picture is painted', async ({ page }) => {
    const pictures = await hold(page, /\.(avif|webp)$/);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (isScript(new URL(request.url()))) asked.push(request.url());
    });
    await page.goto('/landing', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => pictures.requests.length).toBeGreaterThan(0);
    await expect(hero(page)).toBeVisible();
    expect(asked).toHaveLength(1);
    await pictures.release();
    await waitForHydration(page);
  });

  test('an interaction loads the scripts at once', async ({ page }) => {
    const pictures = await hold(page, /\.(avif|webp)$/);
    await page.goto('/landing', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => pictures.requests.length).toBeGreaterThan(0);
    await page.keyboard.press('Tab');
    await waitForHydration(page);
    await pictures.release();
  });
});

test('a button that is pressed before hydration acts after it', async ({ page }) => {
  const scripts = await hold(page, isMain);
  await page.goto('/', { waitUntil: 'domcontentloaded' }); // what is held may hold up the load
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  await expect.poll(() => scripts.requests.length).toBeGreaterThan(0);
  await expect(page.getByRole('dialog')).toBeHidden();
  await scripts.release();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
});

test('a menu that is opened before hydration stays open', async ({ page, context }) => {
  await page.setViewportSize(PHONE);
  const scripts = await hold(page, isMain);
  await page.goto('/marketplace', { waitUntil: 'domcontentloaded' });
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' });
  const link = page.getByRole('banner').getByRole('link', { name: 'Home', exact: true });
  const devTools = await context.newCDPSession(page);

  async function expectExpanded(isExpanded: boolean): Promise<void> {
    const { nodes } = await devTools.send('Accessibility.getFullAXTree');
    const button = nodes.find(({ role, name }) => role?.value === 'button' && name?.value === 'Menu');
    const state = button?.properties?.find(({ name }) => name === 'expanded');
    expect(state?.value.value).toBe(isExpanded);
    await expect(link).toBeVisible({ visible: isExpanded });
  }

  await expectExpanded(false);
  await menu.click();
  await expectExpanded(true);
  await scripts.release();
  await waitForHydration(page);
  await expectExpanded(true);
  await page.keyboard.press('Escape');
  await expectExpanded(false);
});

test('Back before hydration loads the page before', async ({ page }) => {
  await open(page, '/landing');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter', exact: true }).click();
  await expect(page).toHaveURL('/newsletter');
  const scripts = await hold(page, isMain);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await expect(hero(page)).toHaveText(message('en', 'newsletter.title'));
  await page.goBack({ waitUntil: 'commit' });
  await expect(hero(page)).not.toHaveText(message('en', 'newsletter.title'));
  await scripts.release();
  await waitForHydration(page);
  await expect(page).toHaveURL('/landing');
});

test('no page calls Intl.supportedLocalesOf, which is slow', async ({ page }) => {
  await page.addInitScript(() => {
    const ask = () => {
      throw new Error('asked');
    };
    Intl.NumberFormat.supportedLocalesOf = ask;
    Intl.DateTimeFormat.supportedLocalesOf = ask;
  });
  await page.goto('/landing-sailors');
  await waitForHydration(page);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await waitForHydration(page);
});

test('a page whose scripts are missing after a deploy reloads once', async ({ page }) => {
  const asked: string[] = [];
  await page.route(isMain, (route) => {
    asked.push(route.request().resourceType());
    return asked.length < 3 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.goto('/');
  await expect.poll(() => asked).toEqual(['script', 'fetch', 'script']);
  await page.waitForLoadState();
  await waitForHydration(page);
  expect(asked).toHaveLength(3);
});

for (const [language, text] of [
  ['en', 'You are offline.'],
  ['cs', 'Jste offline.'],
] as const) {
  const details = language === 'cs' ? {} : SWEEP;
  test(
    `an offline click before hydration keeps the page and says so (${language})`,
    details,
    async ({ page, context, baseURL }) => {
      await chooseLanguage(page, language, baseURL);
      const scripts = await hold(page, isMain);
      await page.goto('/landing', { waitUntil: 'domcontentloaded' });
      await context.setOffline(true);
      const notice = page.locator('#notice');
      for (const link of ['a[href^="/signup"]', 'a[hreflang]']) {
        await page.locator(link).first().click();
        await expect(notice).toContainText(text);
        await expect(page).toHaveURL('/landing');
      }
      await context.setOffline(false);
      await expect(notice).toBeHidden();
      await scripts.release();
      await waitForHydration(page);
    },
  );
}
