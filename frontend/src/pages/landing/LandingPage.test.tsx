import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { watchButtons } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import { signedIn } from '../../test/session';
import LandingPage from './LandingPage';

const showPage = () => renderInSite(<LandingPage />, { history: ['/landing'] });

test('the hero has a high-priority image; those below are lazy', () => {
  showPage();
  const [hero, ...others] = screen.getAllByRole('img');
  expect(hero).toHaveAttribute('fetchpriority', 'high');
  expect(hero).not.toHaveAttribute('loading');
  expect(others).toHaveLength(3);
  for (const picture of others) expect(picture).toHaveAttribute('loading', 'lazy');
});

test.each([
  ['en', 'Marina Kovač', '@marinakovac', 'Charter skipper', 'Croatian'],
  ['cs', 'Marina Kovač', '@marinakovac', 'Charterová skipperka', 'Chorvatka'],
  ['en', 'Ingrid Solheim', '@ingridsolheim', 'Boat owner', 'Norwegian'],
] as const)(
  'a testimonial (%s) shows the person, text and avatar: %s',
  (language, name, handle, role, nationality) => {
    renderInSite(<LandingPage />, { language });
    const card = screen.getByText(handle).closest('li');
    for (const words of [name, role, nationality]) expect(card).toHaveTextContent(words);
    expect(card?.querySelector('blockquote')?.textContent).toMatch(/\w{3,}.*\./);
    expect(card?.querySelector('[data-tint]')?.textContent).toHaveLength(2);
  },
);

test.each([
  ['Get Early Access', '/signup', 'early_access'],
  ['Join the Crew', '/signup', 'join'],
  ['Sign In', '/signin', 'sign_in'],
])('visitors see %j, which leads to %s', async (name, address, tracked) => {
  const pressed = watchButtons();
  const { user, path } = showPage();
  expect(screen.queryByRole('link', { name: 'Open Your Dashboard' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name }));
  expect(path()).toBe(address);
  expect(pressed).toEqual([tracked]);
});

test('members are offered their dashboard twice instead', async () => {
  const pressed = watchButtons();
  const { user, path } = renderInSite(<LandingPage />, { session: signedIn() });
  expect(screen.queryByRole('link', { name: /Early Access|Join the Crew|Sign In/ })).not.toBeInTheDocument();
  const buttons = screen.getAllByRole('link', { name: 'Open Your Dashboard' });
  expect(buttons).toHaveLength(2);
  await user.click(buttons[0] ?? document.body);
  expect(path()).toBe('/dashboard');
  expect(pressed).toEqual(['open_dashboard']);
});
