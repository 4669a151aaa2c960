import { fireEvent, screen } from '@testing-library/react';

import { useNavigate } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { trackedEvents } from '../test/analytics';
import { renderInSite } from '../test/render';
import { Link } from '../ui/Link';
import { Disclosure, type DisclosureControl } from './Disclosure';

function Menu(control: DisclosureControl) {
  return (
    <>
      <Disclosure menu="user" button="Harbours" {...control}>
        <Link to="/vis">Vis</Link>
        <Link to="/hvar">Hvar</Link>
      </Disclosure>
      <p>The sea</p>
      <button>Elsewhere</button>
    </>
  );
}

const button = () => screen.getByRole('button', { name: 'Harbours' });
const link = () => screen.queryByRole('link', { name: 'Vis' });

test('the button opens the menu and closes it again', async () => {
  const { user } = renderInSite(<Menu />);
  await user.click(button());
  expect(link()).toBeVisible();
  await user.click(button());
  expect(link()).not.toBeInTheDocument();
});

test('the menu closes on an outside click', async () => {
  const { user } = renderInSite(<Menu />);
  await user.click(button());
  await user.click(screen.getByText('The sea'));
  expect(link()).not.toBeInTheDocument();
});

test('Escape closes the menu and returns the focus', async () => {
  const { user } = renderInSite(<Menu />);
  await user.click(button());
  await user.tab();
  expect(link()).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(link()).not.toBeInTheDocument();
  expect(button()).toHaveFocus();
});

function Departure() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate('/vis')}>Cast off</button>;
}

test('the menu closes on navigation', async () => {
  const { user } = renderInSite(
    <>
      <Menu />
      <Departure />
    </>,
  );
  await user.click(button());
  // No press, which would close it too.
  fireEvent.click(screen.getByRole('button', { name: 'Cast off' }));
  expect(link()).not.toBeInTheDocument();
});

test('choosing a link goes to its page and closes the menu', async () => {
  const { user, path } = renderInSite(<Menu />);
  await user.click(button());
  await user.click(screen.getByRole('link', { name: 'Vis' }));
  expect(path()).toBe('/vis');
  expect(link()).not.toBeInTheDocument();
});

test('the menu closes when the focus leaves it', async () => {
  const { user } = renderInSite(<Menu />);
  await user.click(button());
  await user.tab();
  await user.tab();
  expect(screen.getByRole('link', { name: 'Hvar' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
  expect(link()).not.toBeInTheDocument();
});

test('onOpenChange is called when the menu opens and closes', async () => {
  const onOpenChange = vi.fn();
  const { user } = renderInSite(<Menu onOpenChange={onOpenChange} />);
  await user.click(button());
  expect(onOpenChange.mock.calls).toEqual([[true]]);
  await user.keyboard('{Escape}');
  expect(onOpenChange.mock.calls).toEqual([[true], [false]]);
});

test('a controlled menu stays closed', async () => {
  const { user } = renderInSite(<Menu open={false} />);
  await user.click(button());
  expect(link()).not.toBeInTheDocument();
});

test('choosing an item is tracked without a close event', async () => {
  const { user } = renderInSite(<Menu />);
  await user.click(button());
  await user.click(screen.getByRole('link', { name: 'Vis' }));
  await user.click(button());
  await user.click(button());
  expect(trackedEvents().map(([, params]) => params)).toEqual([
    { menu: 'user', action: 'open' },
    { menu: 'user', action: 'choose', item: '/vis' },
    { menu: 'user', action: 'open' },
    { menu: 'user', action: 'close' },
  ]);
});
