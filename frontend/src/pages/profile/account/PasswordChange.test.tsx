import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { renderInSite } from '../../../test/render';
import { ANNA, signedIn } from '../../../test/session';
import { PasswordChange } from './PasswordChange';

test('the fields tell password managers which password is which, and the rules of the new one', () => {
  const ignore = () => undefined;
  renderInSite(<PasswordChange user={ANNA} isOpen isPressed close={ignore} report={ignore} />, {
    session: signedIn(),
  });
  expect(screen.getByLabelText('Current password')).toHaveAttribute('autocomplete', 'current-password');
  const field = screen.getByLabelText('New password');
  expect(field).toHaveAttribute('autocomplete', 'new-password');
  expect(field).toHaveAttribute('minlength', '8');
  expect(field).toHaveAttribute('passwordrules', expect.stringContaining('required: upper;'));
});
