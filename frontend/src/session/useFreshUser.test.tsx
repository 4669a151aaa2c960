import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { json, serveGraphQL } from '../test/graphql';
import { ANNA } from '../test/session';
import { AuthProvider } from './AuthProvider';
import { TOKEN_KEY } from './TokenStorage';
import { useFreshUser } from './useFreshUser';

const me = (nickname: string) => json({ data: { me: { ...ANNA, nickname } } });

function Screen() {
  return <p>Ahoy {useFreshUser()?.nickname}</p>;
}

const site = (key: number) => (
  <AuthProvider>
    <Screen key={key} />
  </AuthProvider>
);

test('a screen that shows the user later than 300 seconds after they were fetched fetches them anew', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  localStorage.setItem(TOKEN_KEY, 'anna-1');
  const calls = serveGraphQL(me('Anča'), me('Anička'));
  const { rerender } = render(site(1));
  expect(await screen.findByText('Ahoy Anča')).toBeVisible();

  now.mockReturnValue(1_299_999);
  rerender(site(2));
  expect(calls).toHaveLength(1);

  now.mockReturnValue(1_300_000);
  rerender(site(3));
  expect(await screen.findByText('Ahoy Anička')).toBeVisible();
  expect(calls).toHaveLength(2);
});

test('a screen asks nothing while nobody is signed in', () => {
  const calls = serveGraphQL();
  render(site(1));
  expect(screen.getByText('Ahoy')).toBeVisible();
  expect(calls).toEqual([]);
});
