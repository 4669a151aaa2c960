import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { watchButtons } from '../../test/analytics';
import { renderInSite } from '../../test/render';
import { signedIn } from '../../test/session';
import LandingPage from './LandingPage';

const section = (name: string) => within(screen.getByRole('region', { name }));

const showPage = () => renderInSite(<LandingPage />, { history: ['/landing'] });

const CLOSING = 'Be aboard when we cast off';

describe('the hero', () => {
  test('has an early-access button to /signup', async () => {
    const pressed = watchButtons();
    const { user, path } = showPage();
    await user.click(screen.getByRole('link', { name: 'Get Early Access' }));
    expect(path()).toBe('/signup');
    expect(pressed).toEqual(['early_access']);
  });

  test('has an explore button that scrolls to the services', async () => {
    const scrolls = vi.spyOn(Element.prototype, 'scrollIntoView');
    const pressed = watchButtons();
    const { user, path } = showPage();
    const services = screen.getByRole('region', { name: 'Everything a sailor needs, on one deck' });
    await user.click(screen.getByRole('link', { name: 'Explore Features' }));
    expect(scrolls.mock.contexts).toEqual([services]);
    expect(services).toHaveFocus();
    expect(path()).toBe('/landing');
    expect(pressed).toEqual(['explore_features']);
  });

  test('has a high-priority image; those below are lazy', () => {
    showPage();
    const [hero, ...others] = screen.getAllByRole('img');
    expect(hero).toHaveAttribute('fetchpriority', 'high');
    expect(hero).not.toHaveAttribute('loading');
    expect(others).toHaveLength(3);
    for (const picture of others) expect(picture).toHaveAttribute('loading', 'lazy');
  });
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

describe('the closing call to action', () => {
  test.each([
    ['Join the Crew', '/signup', 'join'],
    ['Sign In', '/signin', 'sign_in'],
  ])('shows visitors %j, which links to %s', async (name, address, tracked) => {
    const pressed = watchButtons();
    const { user, path } = renderInSite(<LandingPage />);
    expect(screen.queryByRole('link', { name: 'Open Your Dashboard' })).not.toBeInTheDocument();
    await user.click(section(CLOSING).getByRole('link', { name }));
    expect(path()).toBe(address);
    expect(pressed).toEqual([tracked]);
  });
});

test.each([
  ['hero', () => within(screen.getByRole('main'))],
  ['closing call to action', () => section(CLOSING)],
])('offers members their dashboard in the %s', async (_, part) => {
  const pressed = watchButtons();
  const { user, path } = renderInSite(
    <main>
      <LandingPage />
    </main>,
    { session: signedIn() },
  );
  expect(part().queryByRole('link', { name: /Early Access|Join the Crew|Sign In/ })).not.toBeInTheDocument();
  const [button] = part().getAllByRole('link', { name: 'Open Your Dashboard' });
  if (button) await user.click(button);
  expect(path()).toBe('/dashboard');
  expect(pressed).toEqual(['open_dashboard']);
});
