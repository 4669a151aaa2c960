import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { FormattedMessage } from 'react-intl';
import { expect, test, vi } from 'vitest';

import { loadChunk } from '../lib/loadChunk';
import { later } from '../test/graphql';
import { renderInSite } from '../test/render';
import { catalogues } from '../test/catalogues';
import type { MessageId } from './catalogues';
import { switchLanguage } from './LanguageProvider';

vi.mock('../lib/loadChunk', { spy: true });

function Tagline() {
  const [failure, setFailure] = useState('');
  const change = (language: 'en' | 'cs') =>
    void switchLanguage(language).catch((error: unknown) => setFailure(String(error)));
  return (
    <>
      <FormattedMessage id="footer.tagline" />
      <input aria-label="Half a form" />
      <output>{failure}</output>
      <button onClick={() => change('cs')}>Čeština</button>
      <button onClick={() => change('en')}>English</button>
    </>
  );
}

test('keeps the page, its form and the old choice when the messages cannot be loaded', async () => {
  vi.mocked(loadChunk).mockRejectedValueOnce(new Error('Loading chunk messages-cs failed'));
  const { user } = renderInSite(<Tagline />);
  await user.type(screen.getByRole('textbox'), 'jana@');
  await user.click(screen.getByRole('button', { name: 'Čeština' }));
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('messages-cs failed'));
  expect(vi.mocked(loadChunk).mock.lastCall?.[1]).toBe('required');
  expect(screen.getByText('Where Sailors Unite')).toBeVisible();
  expect(screen.getByRole('textbox')).toHaveValue('jana@');
  expect(document.cookie).toBe('django_language=en');
});

test('follows the choice of another tab when the page is shown, and keeps that choice without its messages', async () => {
  renderInSite(<Tagline />);
  const show = () => act(() => Promise.resolve(document.dispatchEvent(new Event('visibilitychange'))));
  document.cookie = 'django_language=cs; Path=/';
  vi.mocked(loadChunk).mockRejectedValueOnce(new Error('Loading chunk messages-cs failed'));
  await show();
  expect(vi.mocked(loadChunk).mock.lastCall?.[1]).toBe('optional');
  expect(screen.getByText('Where Sailors Unite')).toBeVisible();
  expect(document.cookie).toBe('django_language=cs');
  await show();
  await waitFor(() => expect(screen.getByText('Místo, kde se jachtaři spojují')).toBeVisible());
});

test('a missing message is reported', () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  renderInSite(<FormattedMessage id={'no.such' as MessageId} />);
  expect(reported).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'MISSING_TRANSLATION' }));
});

test('the latest choice wins over messages that arrive later', async () => {
  const { answer, send } = later<unknown>();
  vi.mocked(loadChunk).mockReturnValueOnce(answer);
  const { user } = renderInSite(<Tagline />);
  await user.click(screen.getByRole('button', { name: 'Čeština' }));
  await user.click(screen.getByRole('button', { name: 'English' }));
  await act(async () => {
    send(catalogues.cs);
    await answer;
  });
  expect(screen.getByText('Where Sailors Unite')).toBeVisible();
  expect(document.documentElement).toHaveAttribute('lang', 'en');
  expect(document.cookie).toBe('django_language=en');
});
