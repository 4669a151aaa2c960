import { expect, test } from 'vitest';

import { sourceOf } from './source';
import { subscriptionSchema } from './subscription.schema';

async function refusalOf(email: string): Promise<string | undefined> {
  const values = { userType: 'sailor', email, website: '' };
  return subscriptionSchema.validate(values).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

test.each([
  ['', 'newsletter.emailRequired'],
  ['   ', 'newsletter.emailRequired'],
  ['nonsense', 'newsletter.emailInvalid'],
  ['jana@example', 'newsletter.emailInvalid'],
  [`${'a'.repeat(250)}@example.org`, 'newsletter.emailTooLong'],
  [' jana@example.org ', undefined],
])('the email %j is answered with %s', async (email, message) => {
  expect(await refusalOf(email)).toBe(message);
});

test.each([
  [{ source: 'landing-sailors' }, 'landing-sailors'],
  [{ source: 'elsewhere' }, null],
  [null, null],
])('the source of the state %j is %s', (state, source) => {
  expect(sourceOf(state)).toBe(source);
});
