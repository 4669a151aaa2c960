import { expect, test } from 'vitest';

import { subscriptionSchema } from './subscription.schema';

/** What is wrong with a form so filled in: the message's id, or undefined when it is taken. */
async function refusalOf(values: { userType: string; email: string }): Promise<string | undefined> {
  return subscriptionSchema.validate({ website: '', ...values }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

test.each([
  ['', 'newsletter.emailRequired'],
  ['   ', 'newsletter.emailRequired'],
  ['nonsense', 'newsletter.emailInvalid'],
  ['jana@example', 'newsletter.emailInvalid'],
  ['jana novakova@example.org', 'newsletter.emailInvalid'],
  ['jana@plavba@example.org', 'newsletter.emailInvalid'],
  ['@example.org', 'newsletter.emailInvalid'],
  ['jana@example.', 'newsletter.emailInvalid'],
  [`${'a'.repeat(243)}@example.org`, 'newsletter.emailTooLong'],
])('the email %j is refused with %s', async (email, message) => {
  expect(await refusalOf({ userType: 'sailor', email })).toBe(message);
});

test.each([
  'jana@example.org',
  ' jana@example.org ',
  'jana+plavba@mail.example.co.uk',
  'jana@ostrov-hvězd.example',
  `${'a'.repeat(242)}@example.org`,
])('the email %j is taken', async (email) => {
  expect(await refusalOf({ userType: 'sailor', email })).toBeUndefined();
});

test.each([
  ['sailor', true],
  ['company', true],
  ['captain', false],
  ['', false],
])('the user type %j is taken: %s', async (userType, taken) => {
  expect((await refusalOf({ userType, email: 'jana@example.org' })) === undefined).toBe(taken);
});

test('an email is sent without the space around it', () => {
  const values = subscriptionSchema.cast({ userType: 'sailor', email: ' jana@example.org ', website: '' });
  expect(values.email).toBe('jana@example.org');
});
