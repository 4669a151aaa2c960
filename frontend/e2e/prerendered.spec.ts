import routeTable from '../routes.json' with { type: 'json' };
import { expect, LANGUAGES, test } from './site';

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
    await expect(page.getByText('To subscribe, please allow JavaScript on this page.')).toBeVisible();
  });
});

for (const language of LANGUAGES) {
  for (const path of PATHS) {
    // A difference between what was rendered at build time and what the browser renders is an error, which `test` fails on.
    test(`${path} (${language}) comes to life as it stands`, async ({ page }) => {
      await page.goto(`${path}?lang=${language}`);
      const comeToLife = () =>
        Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__react'));
      await expect.poll(() => page.evaluate(comeToLife)).toBe(true);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.waitForLoadState('networkidle');
    });
  }
}
