import type { Page } from '@playwright/test';

import { becomeMember, newAccount } from './accounts';
import { hold, isMain } from './chunks';
import { message } from './pages';
import {
  expect,
  heading,
  main,
  MOTION,
  open,
  SWEEP,
  TABLET,
  test,
  waitForHydration,
  watchShifts,
} from './site';

const CODE = '**/static/app/*.js';

const languageLink = (page: Page, name: 'Čeština' | 'English') =>
  page.getByRole('banner').getByRole('link', { name });
const followFooter = (page: Page, name: string) =>
  page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click();
const scrollTop = (page: Page) => page.evaluate(() => window.scrollY);

/** Follow a link of the full-screen menu, which does not scroll the page below it. */
async function followMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name }).click();
}

/** Scroll down and wait until the page has received the event. */
async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate(async (pixels) => {
    const scrolled = new Promise((resolve) => window.addEventListener('scroll', resolve, { once: true }));
    window.scrollTo({ top: pixels, behavior: 'instant' });
    await scrolled;
  }, top);
}

test('Back and Reload restore the scroll position, and Back focuses the heading', async ({ page }) => {
  const expectRestored = async () => {
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
    await expect(heading(page)).toBeFocused();
    await expect.poll(() => scrollTop(page)).toBe(2000);
  };
  await open(page, '/landing');
  await scrollTo(page, 2000);
  await followMenu(page, 'Companies');
  await expect(page).toHaveURL('/landing-companies');
  await expect(heading(page)).toBeFocused();
  expect(await scrollTop(page)).toBe(0);
  await page.goBack();
  await expectRestored();

  await test.step('when the code of the page comes late', async () => {
    await page.goForward();
    await page.reload();
    await waitForHydration(page);
    const code = await hold(page, CODE);
    await page.goBack();
    await expect.poll(() => code.requests.length).toBeGreaterThan(0);
    await expect(main(page), 'the window is not empty').not.toBeEmpty();
    await code.release();
    await expectRestored();
  });

  await page.reload();
  await waitForHydration(page);
  await expect.poll(() => scrollTop(page)).toBe(2000);

  await test.step('to an earlier fragment too', async () => {
    await open(page, '/landing');
    await page.evaluate(async () => {
      window.location.hash = 'services';
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => requestIdleCallback(resolve)); // the app has rendered the new address
    });
    expect(await scrollTop(page)).toBeGreaterThan(100);
    await page.goBack();
    await expect.poll(() => scrollTop(page)).toBe(0);
  });
});

test('a link to the present page shows its start and adds nothing to the history', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 300 });
  await open(page, '/newsletter#content');
  await scrollTo(page, 150);
  const entries = await page.evaluate(() => window.history.length);
  await followFooter(page, 'Newsletter');
  await expect(heading(page)).toBeFocused();
  await expect(page).toHaveURL('/newsletter');
  expect(await scrollTop(page)).toBe(0);
  expect(await page.evaluate(() => window.history.length)).toBe(entries);
});

test('the head is that of the page, in its language, and nothing else describes the first one', async ({
  page,
}) => {
  await open(page, '/landing');
  await followFooter(page, 'Newsletter');
  await expect(page).toHaveTitle(message('en', 'newsletter.pageTitle'));
  await expect(page.locator('meta[name=description]')).toHaveAttribute(
    'content',
    message('en', 'newsletter.pageDescription'),
  );
  await languageLink(page, 'Čeština').click();
  await expect(page).toHaveTitle(message('cs', 'newsletter.pageTitle'));
  const ofFirstPage = page.locator('link[rel=canonical], link[rel=alternate], meta[property^="og:"]');
  await expect(ofFirstPage).toHaveCount(0);
});

test('a member never sees the links of a visitor, before hydration either, and nothing moves', async ({
  page,
}) => {
  await becomeMember(page);
  const readShift = await watchShifts(page);
  const banner = page.getByRole('banner');
  const visitorLinks = page.getByRole('link', { name: /Sign In|Join the Crew|Get Early Access/ });
  for (const path of ['/', '/landing', '/events']) {
    await test.step(path, async () => {
      const code = await hold(page, isMain);
      await page.goto(path);
      await expect(banner.getByRole('link', { name: 'Dashboard' })).toBeVisible();
      await expect(visitorLinks).toHaveCount(0);
      await code.release();
      await expect(banner.getByRole('button', { name: 'Eva', exact: true })).toBeVisible();
      await expect(visitorLinks).toHaveCount(0);
      expect(await readShift()).toBeLessThanOrEqual(0.01);
    });
  }
});

test('the menus of the bar close by themselves, and give the focus back', async ({ page }) => {
  await becomeMember(page);
  await open(page, '/academy');
  const banner = page.getByRole('banner');
  const menu = banner.getByRole('button', { name: 'Eva', exact: true });
  const profile = banner.getByRole('link', { name: 'Profile' });
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => menu.click(),
    () => page.mouse.click(200, 600),
    () => main(page).getByRole('button').first().focus(), // as by Tab
  ]) {
    await menu.click();
    await expect(profile).toBeVisible();
    await close();
    await expect(profile).toBeHidden();
  }
  await menu.click();
  await profile.press('Enter');
  await expect(page).toHaveURL('/profile');
  await expect(profile).toBeHidden();
  await expect(heading(page)).toBeFocused();
});

test('a long name leaves room for the logo and the links', SWEEP, async ({ page }) => {
  await page.setViewportSize(TABLET);
  await becomeMember(page, newAccount('Maxmiliána Bartoloměja'));
  await open(page, '/dashboard?lang=cs');
  const bar = page.getByRole('banner');
  await expect(bar.getByRole('button', { name: /^Maxmiliána/ })).toBeVisible();
  const logo = await bar.getByRole('link').first().boundingBox();
  const home = await bar.getByRole('navigation').getByRole('link').first().boundingBox();
  expect((home?.x ?? 0) - (logo?.x ?? 0) - (logo?.width ?? 0)).toBeGreaterThanOrEqual(16);
});

test('the full-screen menu keeps the focus, and closes by Escape, by a link and by Back', async ({
  page,
}) => {
  await open(page, '/');
  const button = page.getByRole('banner').getByRole('button', { name: 'Menu' });
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await button.press('Enter');
  await expect(menu).toBeVisible();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(() => document.activeElement?.closest('main, header > a, footer'));
    expect(outside).toBeNull();
  }
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();

  await followMenu(page, 'About');
  await expect(page).toHaveURL('/about');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('heading', { name: 'LOST AT SEA?' })).toBeFocused();
  await button.click();
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(menu).toBeHidden();
  await page.goForward();
  await page.getByRole('button', { name: 'Go Back' }).click();
  await expect(page).toHaveURL('/');
});

test.describe('with motion', () => {
  test.use(MOTION);

  test('the background video plays over its poster, can be paused, and respects reduced motion', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 412, height: 823 });
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { element } of list.getEntries() as (PerformanceEntry & { element: Element | null })[])
          document.documentElement.dataset.largest = element?.localName ?? 'none';
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    await page.goto('/');
    const video = page.locator('video');
    const pause = page.getByRole('button', { name: 'Pause the background video' });
    await expect(pause).toBeVisible();
    await expect(video).toHaveCSS('opacity', '1');
    await expect(page.locator('html'), 'the poster is the largest paint').toHaveAttribute(
      'data-largest',
      'img',
    );
    await pause.click();
    await expect(video).toHaveJSProperty('paused', true);
    await page.getByRole('button', { name: 'Play the background video' }).click();
    await expect(video).toHaveJSProperty('paused', false);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(video).toHaveCount(0);
  });
});
