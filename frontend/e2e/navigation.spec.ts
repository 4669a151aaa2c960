import type { Locator, Page } from '@playwright/test';

import { chunk, hold, isNewTo } from './chunks';
import { DESKTOP, visit } from './memberScreen';
import { message, PAGES } from './pages';
import { expect, expectAlive, LANGUAGES, test } from './site';
import { UNTOUCHED } from './untouched';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const menuButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Menu' });
const languageLink = (page: Page, name: 'Čeština' | 'English') =>
  page.getByRole('banner').getByRole('link', { name });
const scrollTop = (page: Page) => page.evaluate(() => window.scrollY);

/** Follows a line of the full-screen menu, which does not scroll the page under it. */
async function follow(page: Page, name: string): Promise<void> {
  await menuButton(page).click();
  await page.getByRole('dialog').getByRole('link', { name }).click();
}

/** Scrolls down, and lets the page notice. */
async function scrollDown(page: Page, top: number): Promise<void> {
  await page.evaluate(async (pixels) => {
    const noticed = new Promise((resolve) => window.addEventListener('scroll', resolve, { once: true }));
    window.scrollTo({ top: pixels, behavior: 'instant' });
    await noticed;
  }, top);
}

/** Return whether a URL is the code of the landing page. */
const isLanding = isNewTo('page-landing-companies', 'page-landing');

test.describe('Back', () => {
  /** On /landing-companies, loaded anew, with /landing 2,000 pixels down in the history. */
  async function leaveLanding(page: Page) {
    await page.goto('/landing');
    await expectAlive(heading(page));
    await scrollDown(page, 2000);
    await follow(page, 'Companies');
    await expect(page).toHaveURL('/landing-companies');
    await expect(heading(page)).toBeFocused();
    expect(await scrollTop(page)).toBe(0);
    await page.reload();
    await expectAlive(heading(page));
  }

  test('shows the page where it was left, with the focus on its heading', async ({ page }) => {
    await page.goto('/landing');
    await expectAlive(heading(page));
    await scrollDown(page, 2000);
    await follow(page, 'Companies');
    await expect(heading(page)).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL('/landing');
    await expect(heading(page)).toBeFocused();
    await expect.poll(() => scrollTop(page)).toBe(2000);
  });

  test('keeps the present page, marked as busy, while the code of the previous one loads', async ({
    page,
  }) => {
    await leaveLanding(page);
    const code = await hold(page, isLanding);
    await page.goBack();
    await expect.poll(() => code.requests.length).toBeGreaterThan(0);
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true');
    await expect(heading(page)).toHaveText(message('en', 'landingCompanies.title'));
    await code.release();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
    await expect(heading(page)).toBeFocused();
    await expect.poll(() => scrollTop(page)).toBe(2000);
  });

  test('to a page that cannot be loaded shows a failure, and Forward works', async ({ page, problems }) => {
    await leaveLanding(page);
    await page.route(isLanding, (route) => route.abort());
    await page.context().setOffline(true);
    await page.goBack();
    await expect(heading(page)).toHaveText(message('en', 'failure.title'));
    await expect(heading(page)).toBeFocused();
    await page.context().setOffline(false);
    await page.goForward();
    await expect(heading(page)).toHaveText(message('en', 'landingCompanies.title'));
    await expect(heading(page)).toBeFocused();
    for (const problem of problems.splice(0)) expect(problem).toContain('ChunkLoadError');
  });

  test('to an earlier fragment of the page scrolls back', UNTOUCHED, async ({ page }) => {
    await page.goto('/landing');
    await expectAlive(heading(page));
    await page.evaluate(() => {
      window.location.hash = 'services';
    });
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(100);
    await page.goBack();
    await expect.poll(() => scrollTop(page)).toBe(0);
  });

  test("to a member's page leaves no empty window while its guard loads", async ({ page }) => {
    await visit(page, { path: '/dashboard', language: 'en', viewport: DESKTOP });
    await page.getByRole('banner').getByRole('link', { name: 'Marketplace' }).click();
    await expect(page).toHaveURL('/marketplace');
    const marketplace = message('en', 'marketplace.title');
    await expect(heading(page)).toHaveText(marketplace);
    await page.reload();
    await expect(heading(page)).toHaveText(marketplace);
    const guard = await hold(page, `**${chunk('require-auth')}`);
    await page.goBack();
    await expect.poll(() => guard.requests.length).toBe(1);
    await expect(heading(page)).toHaveText(marketplace);
    await page.goForward();
    await expect(page).toHaveURL('/marketplace');
    await page.goBack();
    await expect(page).toHaveURL('/dashboard');
    await expect(heading(page)).toHaveText(marketplace);
    await guard.release();
    await expect(heading(page)).toHaveText(message('en', 'dashboard.title'));
  });
});

test('a click on a link whose page is loading shows a progress bar, and the page then opens', async ({
  page,
}) => {
  await page.goto('/landing-companies');
  await expectAlive(heading(page));
  const code = await hold(page, isNewTo('page-landing-companies', 'page-landing-sailors'));
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Sailors' }).click();
  await expect(page.locator('[data-navigation-progress]')).toBeAttached();
  await code.release();
  await expect(heading(page)).toHaveText(message('en', 'landingSailors.title'));
  await expect(page.locator('[data-navigation-progress]')).toHaveCount(0);
});

test('a page that is loaded anew stays where it was', async ({ page }) => {
  await page.goto('/landing');
  await expectAlive(heading(page));
  await scrollDown(page, 2000);
  await page.reload();
  await expectAlive(heading(page));
  await expect.poll(() => scrollTop(page)).toBe(2000);
});

test.describe('a link to the page one is on', () => {
  const LINKS: Record<string, (page: Page) => Promise<void>> = {
    '/landing-sailors': (page) => follow(page, 'Sailors'),
    '/about': (page) => follow(page, 'About'),
    '/': (page) => page.getByRole('banner').getByRole('link').first().press('Enter'),
    '/newsletter': (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).click(),
  };

  for (const [path, press] of Object.entries(LINKS)) {
    test(`shows ${path} from its start, and the history does not grow`, async ({ page }) => {
      await page.setViewportSize({ width: 800, height: 300 });
      await page.goto(`${path}#content`);
      await expectAlive(heading(page));
      await scrollDown(page, 150);
      const entries = await page.evaluate(() => window.history.length);
      await press(page);
      await expect(heading(page)).toBeFocused();
      await expect(page).toHaveURL(path);
      expect(await scrollTop(page)).toBe(0);
      expect(await page.evaluate(() => window.history.length)).toBe(entries);
    });
  }
});

test.describe('the full-screen menu', () => {
  test('closes when a step through the history shows another place, of the same page too', async ({
    page,
  }) => {
    await page.goto('/about');
    await follow(page, 'Contact');
    await expect(page).toHaveURL('/contact');
    await menuButton(page).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/about');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(heading(page)).toBeFocused();
  });
});

test('a bar without its logo has no Sign In and Join the Crew on a phone', async ({ page }) => {
  await page.goto('/landing');
  const bar = page.getByRole('banner');
  const invitations = bar.getByRole('link', { name: /^(Sign In|Join the Crew)$/ });
  const hideLogo = (hidden: boolean) =>
    // As NavBar says it; no page hides its logo yet.
    bar.evaluate((header, value) => header.setAttribute('data-logo', value), String(!hidden));

  for (const [width, shown] of [
    [767, 0],
    [768, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await hideLogo(false);
    await expect(invitations).toHaveCount(2);
    await hideLogo(true);
    await expect(invitations).toHaveCount(shown);
  }
});

test.describe('the head', () => {
  /** What the head says of the page, in its order. */
  const said = (page: Page) =>
    page.evaluate(() =>
      [...document.head.children]
        .filter((tag) =>
          tag.matches('title, meta:not([charset]), link:not([rel="stylesheet"], [rel="preload"])'),
        )
        .map((tag) => tag.outerHTML),
    );

  /** The same of a page as the server answers it; this one's own scripts do not come to it. */
  async function answered(page: Page, path: string, language: string): Promise<string[]> {
    const response = await page.request.get(`${path}?lang=${language}`);
    return page.evaluate(
      (html) => {
        const { head } = new DOMParser().parseFromString(html, 'text/html');
        return [...head.children]
          .filter((tag) =>
            tag.matches('title, meta:not([charset]), link:not([rel="stylesheet"], [rel="preload"])'),
          )
          .map((tag) => tag.outerHTML);
      },
      await response.text(),
    );
  }

  /** Shows another path as the router does, without a link that leads there. */
  async function go(page: Page, path: string): Promise<void> {
    await page.evaluate((address) => {
      window.history.pushState(null, '', address);
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }, path);
  }

  for (const language of LANGUAGES) {
    test(`is after a route change what the server answers (${language})`, async ({ page }) => {
      await page.goto(`/no-such-port?lang=${language}`);
      await expectAlive(heading(page));
      for (const { path } of [...PAGES, ...PAGES.toReversed()]) {
        const expected = await answered(page, path, language);
        expect(expected.length).toBeGreaterThan(5);
        await go(page, path);
        await expect.poll(() => said(page), path).toEqual(expected);
      }
    });
  }

  test('follows the language', async ({ page }) => {
    await page.goto('/landing');
    await expectAlive(heading(page));
    await languageLink(page, 'Čeština').click();
    const czech = await answered(page, '/landing', 'cs');
    await expect.poll(() => said(page)).toEqual(czech);
    await languageLink(page, 'English').click();
    const english = await answered(page, '/landing', 'en');
    await expect.poll(() => said(page)).toEqual(english);
  });
});

test.describe('the language switch', () => {
  const WAYS: Record<string, Parameters<Locator['click']>[0]> = {
    'Ctrl held': { modifiers: ['ControlOrMeta'] },
    'the middle button': { button: 'middle' },
  };

  for (const [name, options] of Object.entries(WAYS)) {
    test(`pressed with ${name} opens the page in the other language beside this one`, async ({
      page,
      context,
    }) => {
      await page.goto('/landing');
      await expectAlive(heading(page));
      const opened = context.waitForEvent('page');
      await languageLink(page, 'Čeština').click(options);
      const beside = await opened;
      await expect(heading(beside)).toHaveText(message('cs', 'landing.title'));
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    });
  }

  test('beats a ?lang= in the history, where one goes back to', async ({ page }) => {
    await page.goto('/landing?lang=cs');
    await expectAlive(heading(page));
    await expect(page).toHaveURL('/landing');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Odběr novinek' }).click();
    await languageLink(page, 'English').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goBack();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
    await page.reload();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
  });

  test('beats a ?lang= in the history, when the page is loaded anew', async ({ page }) => {
    await page.goto('/landing?lang=cs');
    await expectAlive(heading(page));
    await page.goto('/newsletter');
    await expectAlive(heading(page));
    await languageLink(page, 'English').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goBack();
    await expect(heading(page)).toHaveText(message('en', 'landing.title'));
  });
});
