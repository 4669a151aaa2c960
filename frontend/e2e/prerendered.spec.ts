import routeTable from '../routes.json' with { type: 'json' };
import { expect, expectAlive, LANGUAGES, test } from './site';

const PATHS = [
  ...routeTable.routes.filter(({ prerendered }) => prerendered).map(({ path }) => path),
  '/no-such-port',
];

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  for (const language of LANGUAGES) {
    for (const path of PATHS) {
      test(`${path} (${language}) shows its text, title and links`, async ({ page }) => {
        await page.goto(`${path}?lang=${language}`);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page).toHaveTitle(/\S/);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeVisible();
        await expect(page.getByText('This page needs JavaScript.')).toHaveCount(0);
        await expect(page.getByText('@LAUNCH_YEAR@')).toHaveCount(0);
      });
    }
  }

  test('the other language is a link away', async ({ page }) => {
    await page.goto('/newsletter');
    await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
    await expect(page).toHaveURL('/newsletter?lang=cs');
    await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  });

  test('the newsletter form sends nothing by itself', async ({ page }) => {
    await page.goto('/newsletter');
    await page.getByLabel('Email').fill('jana@example.org');
    await page.getByLabel('Email').press('Enter');
    await expect(page).toHaveURL('/newsletter');
    // Chromium's switch for scripts leaves the content of a noscript unparsed, as text.
    expect(await page.locator('noscript').evaluate((element) => element.textContent)).toContain(
      'To subscribe, please allow JavaScript on this page.',
    );
  });
});

for (const language of LANGUAGES) {
  for (const path of PATHS) {
    // A difference between what was rendered at build time and what the browser renders is an error, which `test` fails on.
    test(`${path} (${language}) comes to life as it stands`, async ({ page }) => {
      await page.goto(`${path}?lang=${language}`);
      await expectAlive(page.locator('main'));
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expectAlive(page.locator('main section').last().or(page.locator('main')).last());
    });
  }
}
