import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { createFixedSource, signedIn, signedOut } from '../test/session';
import { AuthProvider, useMember } from './AuthProvider';

const Screen = () => <p>{`Ahoy ${useMember().firstName}`}</p>;

const show = (session = signedIn()) =>
  render(<Screen />, {
    wrapper: ({ children }) => <AuthProvider source={createFixedSource(session)}>{children}</AuthProvider>,
  });

test('useMember returns the user, and throws when nobody is signed in or outside of a provider', () => {
  show();
  expect(screen.getByText('Ahoy Anna')).toBeVisible();
  expect(() => show(signedOut())).toThrow('useMember must be used on a page for members');
  expect(() => render(<Screen />)).toThrow(new Error('useAuth must be used within an AuthProvider'));
});
