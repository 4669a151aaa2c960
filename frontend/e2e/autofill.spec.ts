import type { Page } from '@playwright/test';

import { becomeMember, newAddress, PASSWORD } from './accounts';
import { hold, isMain } from './chunks';
import { message } from './pages';
import { expect, open, SWEEP, test, waitForHydration } from './site';

type Values = Record<string, string | boolean>;

const NEW_PASSWORD = 'Green-Harbor7!';

/** The forms of visitors, all of which are prerendered, with what a password manager knows. */
const FORMS: { path: string; values: () => Values }[] = [
  { path: '/newsletter', values: () => ({ email: newAddress() }) },
  { path: '/forgot-password', values: () => ({ email: newAddress() }) },
  { path: '/signin', values: () => ({ email: newAddress(), password: PASSWORD }) },
  {
    path: '/signup',
    values: () => ({
      firstName: 'Eva',
      lastName: 'Malá',
      email: newAddress(),
      password: PASSWORD,
      confirmPassword: PASSWORD,
      favoritePosition: 'Trimer of spinnaker',
    }),
  },
];

/** Fill in fields of the page as some password managers do: without an event. */
async function fill(page: Page, values: Values): Promise<void> {
  await page.evaluate((filled) => {
    for (const [name, value] of Object.entries(filled)) {
      const field = document.querySelector<HTMLInputElement>(`main [name=${name}]`);
      if (!field) throw new Error(`There is no field ${name}`);
      if (typeof value === 'boolean') field.checked = value;
      else field.value = value;
    }
  }, values);
}

async function expectShown(page: Page, values: Values): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await expect(page.locator(`main [name=${name}]`)).toHaveValue(String(value));
  }
}

/** Submit the form, and expect that what it showed is sent. */
async function expectSent(page: Page, values: Values): Promise<void> {
  const sending = page.waitForRequest('**/graphql');
  await page.locator('main form button[type=submit]').click();
  const { variables } = (await sending).postDataJSON() as { variables: { input?: object } };
  const { confirmPassword, ...sent } = values;
  expect(confirmPassword).toBe(confirmPassword && values.password); // it is only compared
  expect(variables.input ?? variables).toMatchObject(sent);
}

for (const { path, values: getValues } of FORMS) {
  const details = path === '/signup' ? {} : SWEEP; // one engine has all forms
  test(`what is filled in at ${path} before hydration stays and is sent`, details, async ({ page }) => {
    const values = getValues();
    const scripts = await hold(page, isMain);
    await page.goto(path, { waitUntil: 'domcontentloaded' });
    await fill(page, values);
    await scripts.release();
    await waitForHydration(page);
    await expect(page.locator('main fieldset:disabled')).toHaveCount(0);
    await expectShown(page, values);
    await expectSent(page, values);
  });

  // forms/Form.test.tsx has this for the engine.
  test(`what is filled in at ${path} without an event is sent`, SWEEP, async ({ page }) => {
    const values = getValues();
    await open(page, path);
    // The errors vanish when the values are read, which must not move the button away from the pointer.
    await page.locator('main form button[type=submit]').click();
    await expect(page.locator('main [aria-invalid]')).not.toHaveCount(0);
    await fill(page, values);
    await expectSent(page, values);
  });
}

test('what is filled in on the profile without an event is sent', SWEEP, async ({ page }) => {
  await becomeMember(page);
  await open(page, '/profile');
  const press = (id: string) => page.getByRole('button', { name: message('en', id) }).click();
  const steps: [string, Values][] = [
    ['profile.edit', { firstName: 'Adéla', lastName: 'Malá', nickname: 'Áďa' }],
    ['profile.changePassword', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }],
    ['profile.changeEmail', { email: newAddress(), currentPassword: NEW_PASSWORD }],
  ];
  for (const [button, values] of steps) {
    await press(button);
    await expect(page.locator('main form')).toHaveCount(1);
    await fill(page, values);
    await expectSent(page, values);
    await expect(page.locator('main form')).toHaveCount(0);
  }
});
