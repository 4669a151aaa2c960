import { expect, test } from 'vitest';

import { getFirstName, getFullName } from './member';

const EMAIL = 'anna@example.org';

test.each([
  ['Anna', 'Nováková', 'Anna', 'Anna Nováková'],
  ['Anna', '', 'Anna', 'Anna'],
  ['', 'Nováková', EMAIL, 'Nováková'],
  ['', '', EMAIL, EMAIL],
])(
  'first name %j and last name %j give the short name %j and the full name %j',
  (firstName, lastName, short, full) => {
    const member = { firstName, lastName, email: EMAIL };
    expect(getFirstName(member)).toBe(short);
    expect(getFullName(member)).toBe(full);
  },
);
