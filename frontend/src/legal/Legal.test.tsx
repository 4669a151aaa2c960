import { act, screen, waitFor, within } from '@testing-library/react';
import { useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { PRIVACY_REQUEST } from '../consent/consent';
import { loadCatalogue } from '../i18n/catalogues';
import { later } from '../test/graphql';
import { renderInSite } from '../test/render';
import { Legal } from './Legal';
import { LegalLink } from './LegalLink';

vi.mock('../i18n/catalogues', { spy: true });

afterEach(() => vi.mocked(loadCatalogue).mockReset());

function Page() {
  const navigate = useNavigate();
  return (
    <>
      <LegalLink document="privacy">Privacy</LegalLink>
      <button onClick={() => void navigate(1)}>Forward</button>
      <Legal />
    </>
  );
}

const show = (address = '/landing', config = {}) =>
  renderInSite(<Page />, { history: ['/start', address], config });

/** What Django answers with. */
const DOCUMENT = `<main><div data-document><p>Last changed on November 28, 2026</p><p>Sailing & Co.</p>
  <button type="button" data-privacy-settings hidden>Privacy settings</button></div></main>`;

beforeEach(() => vi.stubGlobal('fetch', () => Promise.resolve(new Response(DOCUMENT))));

const dialog = () => screen.findByRole('dialog');
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const close = async () => within(await dialog()).getByRole('button', { name: 'Close' });

// First, because a chunk that is loaded once stays.
test('reports a document whose code fails, and does not blame the network', async () => {
  const failure = new TypeError('not a function');
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  vi.mocked(loadCatalogue).mockRejectedValueOnce(failure);
  const { user } = show();
  await user.click(screen.getByRole('link', { name: 'Privacy' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Something broke.');
  expect(reported.mock.calls).toEqual([[failure]]);
});

test('a link opens the document; closing it goes back, so that Forward opens it again', async () => {
  const { user, path } = show('/newsletter?source=landing-sailors');
  await user.click(screen.getByRole('link', { name: 'Privacy' }));
  await close().then((button) => act(() => [1, 2].forEach(() => button.click())));
  await expectClosed();
  await user.dblClick(screen.getByRole('link', { name: 'Privacy' }));
  await user.click(await close());
  await expectClosed();
  expect(path()).toBe('/newsletter');
  await user.click(screen.getByRole('button', { name: 'Forward' }));
  await user.click(within(await dialog()).getByRole('link', { name: 'Terms' }));
  expect(await dialog()).toHaveAccessibleName('Terms of use');
  await user.click(await close());
  await expectClosed();
  expect(path()).toBe('/newsletter');
});

test('the address of a mail opens the document, and closing it stays on the page', async () => {
  const { user, path } = show('/landing#terms');
  expect(await dialog()).toHaveAccessibleName('Terms of use');
  expect(await screen.findByText('Sailing & Co.')).toBeVisible();
  await user.click(await close());
  await expectClosed();
  expect(path()).toBe('/landing');
});

test('a document that takes long is said to be loading, in a region that is there before', async () => {
  const { answer, send } = later();
  vi.stubGlobal('fetch', () => answer);
  show('/landing#terms');
  const status = within(await dialog()).getByRole('status');
  expect(status.textContent).toBe('');
  await waitFor(() => expect(status).toHaveTextContent('Loading the document...'));
  send(new Response(DOCUMENT));
  expect(await screen.findByText('Sailing & Co.')).toBeVisible();
  expect(status).toBeEmptyDOMElement();
});

test('a late answer does not replace the document that was chosen since', async () => {
  const { answer, send } = later();
  const chosen = () => Promise.resolve(new Response(DOCUMENT));
  vi.stubGlobal('fetch', (address: string) => (address.includes('privacy') ? answer : chosen()));
  const { user } = show('/landing#privacy');
  await user.click(within(await dialog()).getByRole('link', { name: 'Terms' }));
  await screen.findByText('Sailing & Co.');
  send(new Response(DOCUMENT));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.getByText('Sailing & Co.')).toBeVisible();
});

test('a document that the server does not send is said to be out of reach, and the page stays', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const { path } = show('/landing#privacy');
  expect(await screen.findByRole('alert')).toHaveTextContent(/We can’t reach the server/i);
  await expectClosed();
  expect(path()).toBe('/landing');
});

test('leads to the choice about Google Analytics, which takes the place of the notice', async () => {
  const { user } = show('/#privacy', { gaMeasurementId: 'G-TEST' });
  const onRequest = vi.fn(() => expect(document.querySelector('dialog[open]')).toBeNull());
  document.addEventListener(PRIVACY_REQUEST, onRequest, { once: true });
  await user.click(await within(await dialog()).findByRole('button', { name: 'Privacy settings' }));
  await waitFor(() => expect(onRequest).toHaveBeenCalledOnce());
});
