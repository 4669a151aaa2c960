import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Footer } from './Footer';

test('stores the choice in the cookie of Django, and removes ?lang=, which would undo it on reload', async () => {
  window.history.replaceState(null, '', '/newsletter?lang=en&from=mail#form');
  const { user } = renderInSite(<Footer />);
  const setCookie = vi.spyOn(document, 'cookie', 'set');
  expect(fireEvent.click(screen.getByRole('link', { name: 'Čeština' }), { button: 1 }), 'the browser').toBe(
    true,
  );
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(document.cookie).toBe('django_language=cs');
  // A page served over TLS would add Secure, which the plain address of this one must not.
  expect(setCookie).toHaveBeenCalledWith('django_language=cs; Path=/; Max-Age=31536000; SameSite=Lax');
  expect(window.location.href).toBe('http://127.0.0.1:8000/newsletter?from=mail#form');
});

test('stores the choice as ?lang= in the address where cookies are blocked', async () => {
  vi.spyOn(document, 'cookie', 'set').mockReturnValue();
  window.history.replaceState(null, '', '/newsletter?lang=en');
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(window.location.search).toBe('?lang=cs');
});

test.each([
  ['/newsletter', '?lang=cs'],
  ['/marketplace?type=yacht&lang=en&q=a%26b', '?type=yacht&lang=cs&q=a%26b'],
])('at %s is the link %s in the other language', (address, href) => {
  renderInSite(<Footer />, { history: [address] });
  const link = screen.getByRole('link', { name: 'Čeština' });
  expect(link).toHaveAttribute('href', href);
  expect(link).toHaveAttribute('hreflang', 'cs');
  expect(link).toHaveAttribute('lang', 'cs');
});
