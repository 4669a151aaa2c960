import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

import { DESKTOP_LIMIT, PHONE_LIMIT, UnreadBadge } from './UnreadBadge';

test.each([
  [0, DESKTOP_LIMIT, ''],
  [1, DESKTOP_LIMIT, '1'],
  [99, DESKTOP_LIMIT, '99'],
  [100, DESKTOP_LIMIT, '99+'],
  [0, PHONE_LIMIT, ''],
  [1, PHONE_LIMIT, '1'],
  [9, PHONE_LIMIT, '9'],
  [10, PHONE_LIMIT, '9+'],
])('the count %i with the limit %i shows as "%s"', (count, limit, label) => {
  expect(render(<UnreadBadge count={count} limit={limit} />).container).toHaveTextContent(
    new RegExp(`^${label.replace('+', '\\+')}$`),
  );
});
