import { render, renderHook, screen } from '@testing-library/react';
import { Link, MemoryRouter } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { createFixedSource, signedIn, signedOut } from '../test/session';
import { AuthProvider, useMember } from './AuthProvider';
import { useAskedPage } from './destination';
import { getFirstName, getFullName } from './member';
import { useFreshUser } from './useFreshUser';

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

/** A header that stays when another page opens. */
const Header = () => <Link to="/events">{useFreshUser()?.firstName}</Link>;

test('a page that opens fetches the user again unless fetched within 300 seconds', async () => {
  const refresh = vi.fn(() => Promise.resolve());
  const { user } = renderInSite(<Header />, { session: signedIn({ refresh }) });
  await user.click(screen.getByRole('link', { name: 'Anna' }));
  expect(refresh.mock.calls).toEqual([[300_000], [300_000]]);
});

test.each([
  [{ from: '/profile?edit=1#phone' }, '/profile?edit=1#phone'],
  [undefined, undefined],
  [{ from: 'https://evil.example/' }, undefined],
  [{ from: '//evil.example/' }, undefined],
  [{ from: '/\\evil.example/' }, undefined],
  [{ from: 'javascript:alert(1)' }, undefined],
  [{ from: 7 }, undefined],
])('the history state %j leads to %s, whatever the query says', (state, destination) => {
  const entry = { pathname: '/signin', search: '?from=/profile&next=//evil.example', state };
  const { result } = renderHook(useAskedPage, {
    wrapper: ({ children }) => <MemoryRouter initialEntries={[entry]}>{children}</MemoryRouter>,
  });
  expect(result.current).toBe(destination);
});

const EMAIL = 'anna@example.org';

test.each([
  ['Anna', 'Nováková', 'Anna', 'Anna Nováková'],
  ['Anna', '', 'Anna', 'Anna'],
  ['', 'Nováková', EMAIL, 'Nováková'],
  ['', '', EMAIL, EMAIL],
])('a member named %j %j has the short name %j and the full name %j', (firstName, lastName, ...names) => {
  const member = { firstName, lastName, email: EMAIL };
  expect([getFirstName(member), getFullName(member)]).toEqual(names);
});
