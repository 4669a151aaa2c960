import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Footer } from './Footer';

test('choosing the other language changes the texts in place and offers the first one again', async () => {
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(await screen.findByText('Místo, kde se jachtaři spojují')).toBeVisible();

  await user.click(screen.getByRole('link', { name: 'English' }));
  expect(await screen.findByText('Where Sailors Unite')).toBeVisible();
});

test('the page says which language it is in', async () => {
  const { user } = renderInSite(<Footer />);
  expect(document.documentElement).toHaveAttribute('lang', 'en');
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  await waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'cs'));
});

test('the choice is kept in the cookie that Django reads', async () => {
  const { user } = renderInSite(<Footer />);
  const setCookie = vi.spyOn(document, 'cookie', 'set');
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(document.cookie).toBe('django_language=cs');
  // A page served over TLS would add Secure, which the plain address of this one must not.
  expect(setCookie).toHaveBeenCalledWith('django_language=cs; Path=/; Max-Age=31536000; SameSite=Lax');
});

test('a ?lang= in the address, which would beat the cookie on the next load, goes', async () => {
  window.history.replaceState(null, '', '/newsletter?lang=en&from=mail#form');
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(window.location.href).toBe('http://127.0.0.1:8000/newsletter?from=mail#form');
});

test('without a script the switch is a link that the server understands, in its own language', () => {
  renderInSite(<Footer />);
  const link = screen.getByRole('link', { name: 'Čeština' });
  expect(link).toHaveAttribute('href', '?lang=cs');
  expect(link).toHaveAttribute('hreflang', 'cs');
  expect(link).toHaveAttribute('lang', 'cs');
});
