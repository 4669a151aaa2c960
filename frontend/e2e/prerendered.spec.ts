import type { Page } from '@playwright/test';

import { message, PAGES } from './pages';
import { chooseLanguage, expect, LANGUAGES, main, open, SWEEP, test, waitForHydration } from './site';

/** Return the headings of the main part, and its links with their addresses. */
async function readContent(page: Page): Promise<(string | null)[]> {
  const parts = main(page).getByRole('heading').or(main(page).getByRole('link'));
  return parts.evaluateAll((all) => all.flatMap((part) => [part.textContent, part.getAttribute('href')]));
}

for (const language of LANGUAGES) {
  const details = language === 'en' ? SWEEP : {};
  test(
    `without JavaScript each page has what it has with it, and no button that does nothing (${language})`,
    details,
    async ({ page, openBrowser, baseURL }) => {
      const plain = await openBrowser({ javaScriptEnabled: false });
      for (const each of [page, plain]) await chooseLanguage(each, language, baseURL);
      for (const { path, page: name } of PAGES) {
        await test.step(path, async () => {
          await open(page, path);
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
          await plain.goto(path);
          const content = await readContent(plain);
          expect(content.length).toBeGreaterThanOrEqual(name === 'not-found' ? 2 : 6);
          if (name !== 'not-found') expect(content).toEqual(await readContent(page)); // its help needs no script
          await expect(plain.getByText('This page needs JavaScript.')).toHaveCount(0);
          await expect(plain.getByText(/@[A-Z_]+@/)).toHaveCount(0);
          const dead = 'header button, main button:enabled:not(form[action] button), footer button';
          await expect(plain.locator(dead).filter({ visible: true })).toHaveCount(0);
        });
      }
    },
  );
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the links of a page lead to its content, the legal documents and the other language', async ({
    page,
  }) => {
    await page.goto('/newsletter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/newsletter#content');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
    await expect(page.locator('#privacy')).toBeInViewport();
    await page.getByRole('link', { name: 'Privacy notice', exact: true }).click();
    await expect(main(page)).toContainText('hello@sailing.example');
    await page.goto('/newsletter');
    await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
    await expect(page).toHaveURL('/newsletter?lang=cs');
    await expect(page).toHaveTitle(message('cs', 'newsletter.pageTitle'));
  });
});

test('a page that differs with its source hydrates without a mismatch', async ({ page }) => {
  for (const source of ['landing-companies', 'elsewhere']) {
    await page.goto(`/newsletter?source=${source}&utm_source=mail`);
    await waitForHydration(page);
    const name = source === 'landing-companies' ? 'Company' : 'Sailor';
    await expect(page.getByRole('radio', { name })).toBeChecked();
    const czech = page.getByRole('banner').getByRole('link', { name: 'Čeština' });
    await expect(czech).toHaveAttribute('href', `?source=${source}&utm_source=mail&lang=cs`);
  }
});
