import { fireEvent, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Bell } from './Bell';
import { Footer } from './Footer';
import { SkipLink } from './SkipLink';

test.each([
  [0, 'Notifications', []],
  [9, 'Notifications, 9 unread', ['9', '9']],
  [10, 'Notifications, 10 unread', ['9+', '10']],
  [99, 'Notifications, 99 unread', ['9+', '99']],
  [100, 'Notifications, 100 unread', ['9+', '99+']],
])('of %i unread, a screen reader hears %j, and the badges for phones and others show %j', (...row) => {
  const [unread, name, badges] = row;
  renderInSite(<Bell unread={unread} />);
  const bell = screen.getByRole('link', { name });
  expect([...bell.querySelectorAll('span')].map((badge) => badge.textContent)).toEqual(badges);
});

test.each([
  ['Explore', ['/marketplace', '/academy', '/events']],
  ['Company', ['/about', '/landing-sailors', '/landing-companies', '/newsletter', '/newsletter/issues/']],
  ['Legal and contact', ['/contact', '#privacy', '#terms']],
])('the column %s of the footer has its links', (name, addresses) => {
  renderInSite(<Footer />);
  const links = within(screen.getByRole('navigation', { name })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(addresses);
});

const czech = () => screen.getByRole('link', { name: 'Čeština' });

test('the language is stored in the cookie of Django, and ?lang= removed, which would undo it on reload', async () => {
  window.history.replaceState(null, '', '/newsletter?lang=en&from=mail#form');
  const { user } = renderInSite(<Footer />);
  const setCookie = vi.spyOn(document, 'cookie', 'set');
  expect(fireEvent.click(czech(), { button: 1 }), 'is left to the browser').toBe(true);
  await user.click(czech());
  expect(document.cookie).toBe('django_language=cs');
  // A page served over TLS would add Secure, which the plain address of this one must not.
  expect(setCookie).toHaveBeenCalledWith('django_language=cs; Path=/; Max-Age=31536000; SameSite=Lax');
  expect(window.location.href).toBe('http://127.0.0.1:8000/newsletter?from=mail#form');
});

test('the language is stored as ?lang= in the address where cookies are blocked', async () => {
  vi.spyOn(document, 'cookie', 'set').mockReturnValue();
  window.history.replaceState(null, '', '/newsletter?lang=en');
  const { user } = renderInSite(<Footer />);
  await user.click(czech());
  expect(window.location.search).toBe('?lang=cs');
});

test.each([
  ['/newsletter', '?lang=cs'],
  ['/marketplace?type=yacht&lang=en&q=a%26b', '?type=yacht&lang=cs&q=a%26b'],
])('at %s is the link %s in the other language', (address, href) => {
  renderInSite(<Footer />, { history: [address] });
  expect(czech()).toHaveAttribute('href', href);
  expect(czech()).toMatchObject({ hreflang: 'cs', lang: 'cs' });
});

const Page = () => (
  <>
    <SkipLink />
    <main id="content" tabIndex={-1}>
      {JSON.stringify(useLocation().state)}
    </main>
  </>
);

test('the skip link moves the focus to the content and keeps the history state', () => {
  renderInSite(<Page />, { history: [{ pathname: '/signin', state: { from: '/profile' } }] });
  const main = screen.getByRole('main');
  const link = screen.getByRole('link', { name: 'Skip to content' });
  expect(fireEvent.click(link, { ctrlKey: true }), 'is left to the browser').toBe(true);
  expect(main).not.toHaveFocus();
  expect(fireEvent.click(link)).toBe(false);
  expect(main).toHaveFocus();
  expect(main).toHaveTextContent('{"from":"/profile"}');
});
