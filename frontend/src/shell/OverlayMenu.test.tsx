import { screen, within } from '@testing-library/react';
import { useNavigate } from 'react-router-dom';
import { describe, expect, test } from 'vitest';

import { trackedEvents } from '../test/analytics';
import { renderInSite } from '../test/render';
import { signedIn, signedOut } from '../test/session';
import { LazyMemberControls } from './Account';
import { AUDIENCE_MENU } from './menus';
import { OverlayMenu } from './OverlayMenu';

describe('the foot of the menu', () => {
  async function openFoot(options: Parameters<typeof renderInSite>[1] = {}) {
    const page = renderInSite(<OverlayMenu items={AUDIENCE_MENU} />, options);
    await page.user.click(screen.getByRole('button', { name: /^(Menu|Nabídka)$/ }));
    const [, foot] = screen.getAllByRole('list');
    if (!foot) throw new Error('The menu has no foot');
    const items = within(foot).getAllByRole('listitem');
    return {
      ...page,
      items: items.map((item) => [item.textContent, item.firstElementChild?.getAttribute('href')]),
    };
  }

  test('leads visitors to Sign In and Join', async () => {
    expect((await openFoot({ session: signedOut() })).items).toEqual([
      ['Sign In', '/signin'],
      ['Join the Crew', '/signup'],
    ]);
  });

  test('leads members to the dashboard while their controls are loading', async () => {
    expect((await openFoot({ session: signedOut({ status: 'unreachable' }) })).items).toEqual([
      ['Dashboard', '/dashboard'],
    ]);
  });

  test('has the pages of members and Sign Out', async () => {
    await LazyMemberControls.preload('required');
    const { items } = await openFoot({ session: signedIn(), language: 'cs' });
    expect(items).toEqual([
      ['Nástěnka', '/dashboard'],
      ['Oznámení, 3 nepřečtenáOznámení3', '/notifications'],
      ['Profil', '/profile'],
      ['Odhlásit se', null],
    ]);
  });

  test('Sign Out closes the menu, so that its alert is visible', async () => {
    await LazyMemberControls.preload('required');
    const signOut = () => Promise.reject(new Error('Outage'));
    const { user } = await openFoot({ session: signedIn({ signOut }) });
    await user.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(await screen.findByRole('alert')).toHaveTextContent('Logout failed. Please try again.');
  });
});

test('the menu opens as a named dialog and takes the focus', async () => {
  const { user } = renderInSite(<OverlayMenu items={AUDIENCE_MENU} />);
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  expect(screen.getByRole('dialog', { name: 'Menu' })).toContainElement(
    document.activeElement as HTMLElement,
  );
});

test('choosing an item goes to its page and closes the menu', async () => {
  const { user, path } = renderInSite(<OverlayMenu items={AUDIENCE_MENU} />);
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await user.click(screen.getByRole('link', { name: 'About' }));
  expect(path()).toBe('/about');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

function Departure() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate('/vis')}>Cast off</button>;
}

test('navigation closes the menu', async () => {
  const { user } = renderInSite(
    <>
      <OverlayMenu items={AUDIENCE_MENU} />
      <Departure />
    </>,
  );
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await user.click(screen.getByRole('button', { name: 'Cast off' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

describe('tracking', () => {
  const opened = ['menu_interaction', { menu: 'overlay', action: 'open' }];
  const closed = ['menu_interaction', { menu: 'overlay', action: 'close' }];

  async function open() {
    const { user } = renderInSite(<OverlayMenu items={AUDIENCE_MENU} />);
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    return user;
  }

  test('records opening and closing by the button', async () => {
    const user = await open();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(trackedEvents()).toEqual([opened, closed]);
  });

  test('records the chosen item', async () => {
    const user = await open();
    await user.click(screen.getByRole('link', { name: 'Companies' }));
    expect(trackedEvents()).toEqual([
      opened,
      ['menu_interaction', { menu: 'overlay', action: 'choose', item: '/landing-companies' }],
    ]);
  });
});
