import type { Page } from '@playwright/test';

import { becomeMember, newAccount } from './accounts';
import { hold, isMain } from './chunks';
import { message } from './pages';
import {
  chooseLanguage,
  expect,
  LANGUAGES,
  main,
  MOTION,
  NARROW,
  open,
  SWEEP,
  TABLET,
  test,
  waitForHydration,
} from './site';

const CODE = '**/static/app/*.js';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const languageLink = (page: Page, name: 'Čeština' | 'English') =>
  page.getByRole('banner').getByRole('link', { name });
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

/** Go back to a page whose code arrives late. Until then the window must not be empty. */
async function goBackWhileCodeIsLate(page: Page): Promise<void> {
  const code = await hold(page, CODE);
  await page.goBack();
  await expect.poll(() => code.requests.length).toBeGreaterThan(0);
  await expect(page.getByRole('main')).not.toBeEmpty();
  await code.release();
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
    await goBackWhileCodeIsLate(page);
    await expectRestored();
  });

  await page.reload();
  await waitForHydration(page);
  await expect.poll(() => scrollTop(page)).toBe(2000);
});

test('Back to an earlier fragment of the page scrolls back', async ({ page }) => {
  await open(page, '/landing');
  await page.evaluate(() => {
    window.location.hash = 'services';
  });
  await expect.poll(() => scrollTop(page)).toBeGreaterThan(100);
  await page.goBack();
  await expect.poll(() => scrollTop(page)).toBe(0);
});

test('a link to the present page shows its start and adds nothing to the history', async ({ page }) => {
  const links: Record<string, () => Promise<void>> = {
    '/landing-sailors': () => followMenu(page, 'Sailors'),
    '/': () => page.getByRole('banner').getByRole('link').first().press('Enter'),
    '/newsletter': () =>
      page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter', exact: true }).click(),
  };
  await page.setViewportSize({ width: 800, height: 300 });
  for (const [path, follow] of Object.entries(links)) {
    await test.step(path, async () => {
      await open(page, `${path}#content`);
      await scrollTo(page, 150);
      const entries = await page.evaluate(() => window.history.length);
      await follow();
      await expect(heading(page)).toBeFocused();
      await expect(page).toHaveURL(path);
      expect(await scrollTop(page)).toBe(0);
      expect(await page.evaluate(() => window.history.length)).toBe(entries);
    });
  }
});

test('the title and the description are those of the page, and nothing else describes the first one', async ({
  page,
}) => {
  const description = page.locator('meta[name=description]');
  await open(page, '/landing');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter', exact: true }).click();
  await expect(page).toHaveTitle(message('en', 'newsletter.pageTitle'));
  await expect(description).toHaveAttribute('content', message('en', 'newsletter.pageDescription'));
  await languageLink(page, 'Čeština').click();
  await expect(page).toHaveTitle(message('cs', 'newsletter.pageTitle'));
  await expect(page.locator('link[rel=canonical], link[rel=alternate], meta[property^="og:"]')).toHaveCount(
    0,
  );
});

test.describe('the language switch', () => {
  test(
    'opens the other language in a new tab with Ctrl or the middle button',
    SWEEP,
    async ({ page, context }) => {
      await open(page, '/landing');
      for (const options of [{ modifiers: ['ControlOrMeta' as const] }, { button: 'middle' as const }]) {
        const opened = context.waitForEvent('page');
        await languageLink(page, 'Čeština').click(options);
        const tab = await opened;
        await expect(heading(tab)).toHaveText(message('cs', 'landing.title'));
        await expect(page.locator('html')).toHaveAttribute('lang', 'en');
        await tab.close();
      }
    },
  );

  test('wins over ?lang= of an earlier history entry', SWEEP, async ({ page }) => {
    await open(page, '/landing?lang=cs');
    await expect(page).toHaveURL('/landing');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter', exact: true }).click();
    await expect(heading(page)).toHaveText(message('cs', 'newsletter.title'));
    await languageLink(page, 'English').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goBack();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
    await page.reload();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));

    await test.step('when that page is loaded anew', async () => {
      await open(page, '/landing?lang=cs');
      await open(page, '/newsletter');
      await languageLink(page, 'English').click();
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await page.goBack();
      await expect(heading(page)).toHaveText(message('en', 'landing.title'));
    });
  });
});

test('a member never sees the links of a visitor, before hydration either, and nothing moves', async ({
  page,
}) => {
  await becomeMember(page);
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const { dataset } = document.documentElement;
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        dataset.shift = String(Number(dataset.shift ?? 0) + entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const banner = page.getByRole('banner');
  const visitorLinks = banner.getByRole('link', { name: /Sign In|Join the Crew/ });
  for (const path of ['/', '/landing', '/marketplace']) {
    await test.step(path, async () => {
      const code = await hold(page, isMain);
      await page.goto(path);
      await expect(banner.getByRole('link', { name: 'Dashboard' })).toBeVisible();
      await expect(visitorLinks).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Get Early Access' })).toHaveCount(0);
      await code.release();
      await expect(banner.getByRole('button', { name: 'Eva', exact: true })).toBeVisible();
      await expect(visitorLinks).toHaveCount(0);
      const shift = await page.locator('html').getAttribute('data-shift');
      expect(Number(shift)).toBeLessThanOrEqual(0.01);
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

test('a focused element is never behind the bar, in a low window neither', async ({ page }) => {
  for (const viewport of [
    { width: 320, height: 256 },
    { width: 1024, height: 600 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of ['/landing', '/marketplace']) {
      await open(page, path);
      await page.getByRole('contentinfo').getByRole('link').last().focus();
      for (let press = 0; press < 40; press += 1) {
        await page.keyboard.press('Shift+Tab');
        const visible = await page.evaluate(() => {
          const element = document.activeElement ?? document.body;
          const { left, top, bottom, width } = element.getBoundingClientRect();
          const bar = document.querySelector('header');
          if (bar?.contains(element)) return 1;
          const lowest = Math.min(bottom, innerHeight) - 1;
          const shown = document.elementFromPoint(left + width / 2, (Math.max(top, lowest - 8) + lowest) / 2);
          return bar?.contains(shown) ? element.textContent : 1;
        });
        expect(visible, `${path} at ${viewport.width} px`).toBe(1);
      }
    }
  }
});

test('a long name leaves room for the logo and the links', async ({ page }) => {
  await page.setViewportSize(TABLET);
  await becomeMember(page, newAccount('Maxmiliána Bartoloměja'));
  await open(page, '/dashboard?lang=cs');
  const bar = page.getByRole('banner');
  await expect(bar.getByRole('button', { name: /^Maxmiliána/ })).toBeVisible();
  const logo = await bar.getByRole('link').first().boundingBox();
  const home = await bar.getByRole('navigation').getByRole('link').first().boundingBox();
  expect((home?.x ?? 0) - (logo?.x ?? 0) - (logo?.width ?? 0)).toBeGreaterThanOrEqual(16);
});

test.describe('the Crossroad and the 404 page', () => {
  test('lead a visitor on, with a menu for keyboards too', async ({ page }) => {
    await open(page, '/');
    await expect(page).toHaveTitle('Crossroad - Choose Your Path');
    const button = page.getByRole('banner').getByRole('button', { name: 'Menu' });
    await button.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu.getByRole('navigation').getByRole('listitem')).toHaveText([
      'Sailors',
      'Companies',
      'About',
      'Contact Us',
    ]);
    await expect(menu.getByRole('link', { name: 'Sign In' })).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Join the Crew' })).toBeVisible();
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab');
      expect(
        await page.evaluate(() => document.activeElement?.closest('main, header > a, footer')),
        'the focus stays in the menu',
      ).toBeNull();
    }
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();

    await followMenu(page, 'About');
    await expect(page).toHaveURL('/about');
    await expect(menu).toBeHidden();
    await expect(page.getByRole('heading', { name: 'LOST AT SEA?' })).toBeFocused();
    await page.getByRole('button', { name: 'Go Back' }).click();
    await expect(page).toHaveURL('/');

    const response = await page.goto('/no-such-port');
    expect(response?.status()).toBe(404);
    await followMenu(page, 'Contact');
    await expect(page).toHaveURL('/contact');
    await button.click();
    await page.goBack();
    await expect(page).toHaveURL('/no-such-port');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(heading(page)).toBeFocused();
    await page.getByRole('button', { name: 'Go Back' }).click();
    await expect(page).toHaveURL('/');
    await page.getByRole('link', { name: /^Explore as a Company/ }).click();
    await expect(page).toHaveURL('/landing-companies');
  });

  for (const language of LANGUAGES) {
    const details = language === 'cs' ? {} : SWEEP;
    test(
      `keep their header on one row in the narrowest window (${language})`,
      details,
      async ({ page, baseURL }) => {
        await page.setViewportSize(NARROW);
        await chooseLanguage(page, language, baseURL);
        for (const path of ['/', '/no-such-port', '/newsletter']) {
          await page.goto(path);
          const controls = page.getByRole('banner').locator('a:visible, button:visible');
          const middles = await controls.evaluateAll((elements) =>
            elements.map((element) => {
              const { top, bottom, left, right } = element.getBoundingClientRect();
              return { middle: Math.round((top + bottom) / 2), isInside: left >= 0 && right <= innerWidth };
            }),
          );
          expect(middles.length).toBeGreaterThan(2);
          for (const row of middles)
            expect(row, path).toEqual({ middle: middles[0]?.middle, isInside: true });
        }
      },
    );
  }
});

test.describe('with motion', () => {
  test.use(MOTION);

  test('the background video plays over its poster, can be paused, and respects reduced motion', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 412, height: 823 });
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { element } of list.getEntries() as (PerformanceEntry & { element: Element | null })[]) {
          document.documentElement.dataset.largest = element?.localName ?? 'none';
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    await page.goto('/');
    const video = page.locator('video');
    const pause = page.getByRole('button', { name: 'Pause the background video' });
    await expect(pause).toBeVisible();
    await expect(video).toHaveCSS('opacity', '1');
    await expect(page.locator('html'), 'the video is not the largest paint').toHaveAttribute(
      'data-largest',
      'img',
    );
    await pause.click();
    await expect(video).toHaveJSProperty('paused', true);
    await page.getByRole('button', { name: 'Play the background video' }).click();
    await expect(video).toHaveJSProperty('paused', false);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(video).toHaveCount(0);
    await open(page, '/');
    await expect(video).toHaveCount(0);
  });
});

test('the footer links the archive of the newsletter', async ({ page }) => {
  await open(page, '/newsletter');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter archive' }).click();
  await expect(page).toHaveURL('/newsletter/issues/');
});
