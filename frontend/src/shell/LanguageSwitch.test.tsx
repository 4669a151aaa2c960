import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { loadLanguage } from '../i18n/catalogues';
import { renderInSite } from '../test/render';
import { Footer } from './Footer';

vi.mock('../i18n/catalogues', { spy: true });

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

test('a ?lang= in the address goes, which would undo the choice on the next load', async () => {
  window.history.replaceState(null, '', '/newsletter?lang=en&from=mail#form');
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(window.location.href).toBe('http://127.0.0.1:8000/newsletter?from=mail#form');
});

test('where cookies are refused, a ?lang= in the address says the choice', async () => {
  vi.spyOn(document, 'cookie', 'set').mockReturnValue();
  window.history.replaceState(null, '', '/newsletter?lang=en');
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(window.location.search).toBe('?lang=cs');
});

test.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])(
  'the browser opens the other language its own way with %s held',
  (key) => {
    renderInSite(<Footer />);
    let isLeftToTheBrowser = false;
    const watch = (event: Event) => {
      isLeftToTheBrowser = !event.defaultPrevented;
      event.preventDefault();
    };
    window.addEventListener('click', watch, { once: true });
    fireEvent.click(screen.getByRole('link', { name: 'Čeština' }), { [key]: true });
    expect(isLeftToTheBrowser).toBe(true);
    expect(document.cookie).toBe('');
  },
);

test('a switch that fails keeps the page and says so', async () => {
  vi.mocked(loadLanguage).mockRejectedValueOnce(new Error('Loading chunk messages-cs failed'));
  const { user } = renderInSite(<Footer />);
  await user.click(screen.getByRole('link', { name: 'Čeština' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The language could not be changed. Please check your connection and try again.',
  );
  expect(screen.getByText('Where Sailors Unite')).toBeVisible();
});

test.each([
  ['/newsletter?source=landing-companies', '?source=landing-companies&lang=cs'],
  ['/marketplace?type=yacht&lang=en&q=a%26b', '?type=yacht&lang=cs&q=a%26b'],
])('the address of the switch on %s keeps the query: %s', (address, href) => {
  renderInSite(<Footer />, { history: [address] });
  expect(screen.getByRole('link', { name: 'Čeština' })).toHaveAttribute('href', href);
});

test('without a script the switch is a link that the server understands, in its own language', () => {
  renderInSite(<Footer />);
  const link = screen.getByRole('link', { name: 'Čeština' });
  expect(link).toHaveAttribute('href', '?lang=cs');
  expect(link).toHaveAttribute('hreflang', 'cs');
  expect(link).toHaveAttribute('lang', 'cs');
});
