import { expect, type Locator, type Page, test as base } from '@playwright/test';

export { expect } from '@playwright/test';

export const LANGUAGES = ['en', 'cs'] as const;

/**
 * Playwright's `test`, which besides fails when a page logs an error, throws one, or breaks its Content
 * Security Policy (Chromium logs that as an error too).
 */
export const test = base.extend<{ problems: string[] }>({
  problems: [
    async ({ context }, use) => {
      const problems: string[] = [];
      context.on('weberror', (error) => problems.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() !== 'error') return;
        // That a page has status 404, or that a call failed, is what some journeys are about.
        if (message.text().startsWith('Failed to load resource')) return;
        problems.push(message.text());
      });
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until React has taken over an element that was rendered at build time, and the page around it. */
export async function expectAlive(element: Locator): Promise<void> {
  // React marks an element as its own while it is still at work on the page.
  const isAlive = (node: Element) => {
    const root = Object.entries(node.ownerDocument.getElementById('root') ?? {}).find(([key]) =>
      key.startsWith('__reactContainer'),
    )?.[1] as { stateNode: { current: { memoizedState: { isDehydrated: boolean } } } } | undefined;
    const isOwn = Object.keys(node).some((key) => key.startsWith('__react'));
    return isOwn && root?.stateNode.current.memoizedState.isDehydrated === false;
  };
  await expect.poll(() => element.evaluate(isAlive)).toBe(true);
}

/** The superuser of scripts/e2e-server. As every account that is made in a terminal, it has no name. */
export const ADMIN = { email: 'admin@sailing.example', password: 'only for these tests' };

/** Signs in to Django admin. */
export async function enterAdmin(page: Page): Promise<void> {
  await page.goto('/admin/');
  if (await page.locator('#id_username').isVisible()) {
    await page.locator('#id_username').fill(ADMIN.email);
    await page.locator('#id_password').fill(ADMIN.password);
    await page.locator('#id_password').press('Enter');
    await page.waitForURL('/admin/');
  }
}

/** The subscribers with an address, in Django admin. */
export async function adminRows(page: Page, address: string): Promise<Locator> {
  await enterAdmin(page);
  await page.goto(`/admin/newsletter/subscription/?q=${encodeURIComponent(address)}`);
  return page.locator('#result_list tbody tr');
}
