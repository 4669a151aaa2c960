import { screen } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../test/graphql';
import { renderInSite } from '../test/render';
import { ANNA } from '../test/session';
import { TOKEN_KEY } from './token';
import { useFreshUser } from './useFreshUser';

/** A header that stays when another page opens. */
function Header() {
  return (
    <>
      <p>{`Ahoy ${useFreshUser()?.nickname}`}</p>
      <Link to="/events">Events</Link>
    </>
  );
}

test('fetches the user again when a page opens after 300 seconds, not earlier', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  const me = (nickname: string) => json({ data: { me: { ...ANNA, nickname } } });
  const calls = serveGraphQL(me('Anča'), me('Anička'));
  const { user } = renderInSite(<Header />);
  expect(await screen.findByText('Ahoy Anča')).toBeVisible();

  now.mockReturnValue(1_299_999);
  await user.click(screen.getByRole('link'));
  expect(calls).toHaveLength(1);

  now.mockReturnValue(1_300_000);
  await user.click(screen.getByRole('link'));
  expect(await screen.findByText('Ahoy Anička')).toBeVisible();
  expect(calls).toHaveLength(2);
});
