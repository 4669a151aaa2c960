import { expect, test } from './site';

test('a visitor chooses a side', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: /^Explore as a Sailor/ })).toHaveAttribute(
    'href',
    '/landing-sailors',
  );
  await expect(page.getByRole('link', { name: /^Explore as a Company/ })).toHaveAttribute(
    'href',
    '/landing-companies',
  );
});

test('the menu is a modal dialog for keyboards too', async ({ page }) => {
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Menu' });
  await button.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('listitem')).toHaveText(['Sailors', 'Companies', 'About', 'Contact Us']);
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main, header > a, footer'))).toBeNull();
  }
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();
});

test('choosing an item closes the menu', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL('/about');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: 'LOST AT SEA?' })).toBeFocused();
});

test('the video plays, and stops when asked to', async ({ page }) => {
  await page.goto('/');
  const video = page.locator('video');
  await page.getByRole('button', { name: 'Pause the background video' }).click();
  await expect(video).toHaveJSProperty('paused', true);
  await page.getByRole('button', { name: 'Play the background video' }).click();
  await expect(video).toHaveJSProperty('paused', false);
});

test('on a phone the largest paint is the poster, which is there first, and not the film over it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 412, height: 823 });
  await page.addInitScript(() => {
    new PerformanceObserver((seen) => {
      for (const { element } of seen.getEntries() as (PerformanceEntry & { element: Element | null })[]) {
        document.documentElement.dataset.largest = element?.localName ?? 'none';
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Pause the background video' })).toBeVisible();
  await expect(page.locator('video')).toHaveCSS('opacity', '1');
  await expect(page.locator('html')).toHaveAttribute('data-largest', 'img');
});

test('who asked for less motion sees the still picture', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
});

test('an unknown path shows the 404 page with status 404', async ({ page }) => {
  await page.goto('/');
  const response = await page.goto('/no-such-port');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'LOST AT SEA?' })).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([
    'Sailor Registration',
    'Company Registration',
    'About',
    'Contact',
  ]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go Back' }).click();
  await expect(page).toHaveURL('/');
});
