import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Footer } from './Footer';

vi.mock('../i18n/catalogues', { spy: true });

test('stores the choice in the cookie of Django', async () => {
  const { user } = renderInSite(<Footer />);
  const setCookie = vi.spyOn(document, 'cookie', 'set');
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(document.cookie).toBe('django_language=cs');
  // A page served over TLS would add Secure, which the plain address of this one must not.
  expect(setCookie).toHaveBeenCalledWith('django_language=cs; Path=/; Max-Age=31536000; SameSite=Lax');
});

test('removes ?lang= from the address, which would undo the choice on reload', async () => {
  window.history.replaceState(null, '', '/newsletter?lang=en&from=mail#form');
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(window.location.href).toBe('http://127.0.0.1:8000/newsletter?from=mail#form');
});

test('stores the choice as ?lang= in the address where cookies are blocked', async () => {
  vi.spyOn(document, 'cookie', 'set').mockReturnValue();
  window.history.replaceState(null, '', '/newsletter?lang=en');
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(window.location.search).toBe('?lang=cs');
});

test('leaves a click with a modifier key to the browser', () => {
  renderInSite(<Footer />);
  let isLeftToTheBrowser = false;
  const watch = (event: Event) => {
    isLeftToTheBrowser = !event.defaultPrevented;
    event.preventDefault();
  };
  window.addEventListener('click', watch, { once: true });
  fireEvent.click(screen.getByRole('link', { name: 'Čeština' }), { ctrlKey: true });
  expect(isLeftToTheBrowser).toBe(true);
  expect(document.cookie).toBe('');
});

test.each([
  ['/newsletter', '?lang=cs'],
  ['/newsletter?source=landing-companies', '?source=landing-companies&lang=cs'],
  ['/marketplace?type=yacht&lang=en&q=a%26b', '?type=yacht&lang=cs&q=a%26b'],
])('at %s is the link %s in the other language', (address, href) => {
  renderInSite(<Footer />, { history: [address] });
  const link = screen.getByRole('link', { name: 'Čeština' });
  expect(link).toHaveAttribute('href', href);
  expect(link).toHaveAttribute('hreflang', 'cs');
  expect(link).toHaveAttribute('lang', 'cs');
});
