import { newAddress, PASSWORD } from './accounts';
import { hold, isMain } from './chunks';
import { message } from './pages';
import { expect, heading, open, PHONE, test, UNTOUCHED, waitForHydration } from './site';

test(
  'while a picture is loading the page loads one script, and the others when it is painted',
  UNTOUCHED,
  async ({ page }) => {
    const pictures = await hold(page, /\.(avif|webp)$/);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.js')) asked.push(request.url());
    });
    await page.goto('/landing', { waitUntil: 'domcontentloaded' });
    await expect.poll(() => pictures.requests.length).toBeGreaterThan(0);
    await expect(heading(page)).toBeVisible();
    expect(asked).toHaveLength(1);
    await pictures.release();
    await waitForHydration(page);
  },
);

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
    expect(button?.properties?.find(({ name }) => name === 'expanded')?.value.value).toBe(isExpanded);
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

test('a search typed before hydration stays and finds', async ({ page }) => {
  const scripts = await hold(page, isMain);
  await page.goto('/marketplace', { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Search boats').fill('bora');
  await scripts.release();
  await waitForHydration(page);
  await expect(page).toHaveURL('/marketplace?search=bora');
  await expect(page.getByLabel('Search boats')).toHaveValue('bora');
});

test('Back before hydration loads the page before', async ({ page }) => {
  await open(page, '/landing');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter', exact: true }).click();
  await expect(page).toHaveURL('/newsletter');
  const scripts = await hold(page, isMain);
  await page.reload({ waitUntil: 'domcontentloaded' });
  await expect(heading(page)).toHaveText(message('en', 'newsletter.title'));
  await page.goBack({ waitUntil: 'commit' });
  await expect(heading(page)).not.toHaveText(message('en', 'newsletter.title'));
  await scripts.release();
  await waitForHydration(page);
  await expect(page).toHaveURL('/landing');
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

test('what a password manager fills in before hydration, without an event, stays and is sent', async ({
  page,
}) => {
  const values = {
    firstName: 'Eva',
    lastName: 'Malá',
    email: newAddress(),
    password: PASSWORD,
    favoritePosition: 'Trimer of spinnaker',
  };
  const filled = Object.entries({ ...values, confirmPassword: PASSWORD });
  const scripts = await hold(page, isMain);
  await page.goto('/signup', { waitUntil: 'domcontentloaded' });
  for (const [name, value] of filled)
    await page.locator(`main [name=${name}]`).evaluate((field, text) => {
      (field as HTMLInputElement).value = text;
    }, value);
  await scripts.release();
  await waitForHydration(page);
  for (const [name, value] of filled) await expect(page.locator(`main [name=${name}]`)).toHaveValue(value);
  const sending = page.waitForRequest('**/graphql');
  await page.locator('main form button[type=submit]').click();
  expect((await sending).postDataJSON()).toMatchObject({ variables: { input: values } });
});
