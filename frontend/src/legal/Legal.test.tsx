import { screen, waitFor, within } from '@testing-library/react';
import { useNavigate } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';

import { PRIVACY_REQUEST } from '../consent/consent';
import { loadCatalogue } from '../i18n/catalogues';
import { renderInSite } from '../test/render';
import { Legal } from './Legal';
import { LegalLink } from './LegalLink';

vi.mock('../i18n/catalogues', { spy: true });

afterEach(() => vi.mocked(loadCatalogue).mockReset());

function History() {
  const navigate = useNavigate();
  return <button onClick={() => void navigate(1)}>Forward</button>;
}

const page = (
  <>
    <LegalLink document="privacy">Privacy</LegalLink>
    <History />
    <Legal />
  </>
);

const dialog = () => screen.findByRole('dialog');
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const close = async () => within(await dialog()).getByRole('button', { name: 'Close' });

// First, because a chunk that is loaded once stays.
test('reports a document whose code fails, and does not blame the network', async () => {
  const failure = new TypeError('not a function');
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  vi.mocked(loadCatalogue).mockRejectedValueOnce(failure);
  const { user } = renderInSite(page);
  await user.click(screen.getByRole('link', { name: 'Privacy' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Something broke.');
  expect(reported.mock.calls).toEqual([[failure]]);
});

test('a link opens the document; closing it goes back, so that Forward opens it again', async () => {
  const { user, path } = renderInSite(page, { history: ['/start', '/newsletter?source=landing-sailors'] });
  await user.click(screen.getByRole('link', { name: 'Privacy' }));
  await user.dblClick(await close());
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
  const { user, path } = renderInSite(page, { history: ['/start', '/landing#terms'] });
  expect(await dialog()).toHaveAccessibleName('Terms of use');
  expect(screen.getByText('Sailing & Co.')).toBeVisible();
  await user.click(await close());
  await expectClosed();
  expect(path()).toBe('/landing');
});

test.each([
  ['en', 'deleted 14 days after the sign-up', 'as a rule within 1 hour.'],
  ['cs', 'smažeme 14 dní po registraci', 'nejpozději za 1 hodinu.'],
] as const)('states the periods of the server in real plurals (%s)', async (language, account, purge) => {
  renderInSite(page, { language, history: ['/#privacy'] });
  const text = (await dialog()).textContent.replaceAll(/\s/g, ' ');
  expect(text).toContain(account);
  expect(text).toContain(purge);
});

test('names only the recipients that this site has', async () => {
  const { unmount } = renderInSite(page, { history: ['/#privacy'] });
  expect(await dialog()).not.toHaveTextContent(/Google|Sentry|Postmark/);
  expect(await dialog()).toHaveTextContent('The operator of our mail server');
  unmount();
  renderInSite(page, {
    history: ['/#privacy'],
    config: { gaMeasurementId: 'G-TEST', sentryDsn: 'https://a@sentry.example/1', emailProvider: 'postmark' },
  });
  for (const name of ['Google', 'Sentry', 'Postmark']) expect(await dialog()).toHaveTextContent(name);
});

test('leads to the choice about Google Analytics, which takes the place of the notice', async () => {
  const { user } = renderInSite(page, { history: ['/#privacy'], config: { gaMeasurementId: 'G-TEST' } });
  const onRequest = vi.fn(() => expect(document.querySelector('dialog[open]')).toBeNull());
  document.addEventListener(PRIVACY_REQUEST, onRequest, { once: true });
  await user.click(within(await dialog()).getByRole('button', { name: 'Privacy settings' }));
  await waitFor(() => expect(onRequest).toHaveBeenCalledOnce());
});
