import { screen } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { signedIn } from '../test/session';
import { useFreshUser } from './useFreshUser';

/** A header that stays when another page opens. */
const Header = () => <Link to="/events">{useFreshUser()?.firstName}</Link>;

test('a page that opens fetches the user again unless fetched within 300 seconds', async () => {
  const refresh = vi.fn(() => Promise.resolve());
  const { user } = renderInSite(<Header />, { session: signedIn({ refresh }) });
  await user.click(screen.getByRole('link', { name: 'Anna' }));
  expect(refresh.mock.calls).toEqual([[300_000], [300_000]]);
});
