import { act, screen, waitFor } from '@testing-library/react';
import { FormattedMessage } from 'react-intl';
import { expect, test, vi } from 'vitest';

import { loadChunk } from '../chunks/loadChunk';
import { reloadPage } from '../chunks/reloadPage';
import { renderInSite } from '../test/render';
import czech from './cs/catalogue';
import { useLanguage } from './LanguageProvider';

vi.mock('../chunks/loadChunk', { spy: true });
vi.mock('../chunks/reloadPage', () => ({ reloadPage: vi.fn() }));

function Tagline() {
  const { switchLanguage } = useLanguage();
  return (
    <>
      <FormattedMessage id="footer.tagline" />
      <button onClick={() => void switchLanguage('cs')}>Čeština</button>
      <button onClick={() => void switchLanguage('en')}>English</button>
    </>
  );
}

test('the page loads anew, in the chosen language, when its messages cannot be loaded', async () => {
  vi.mocked(loadChunk).mockRejectedValueOnce(new Error('Loading chunk messages-cs failed'));
  const { user } = renderInSite(<Tagline />);
  await user.click(screen.getByRole('button', { name: 'Čeština' }));
  await waitFor(() => expect(reloadPage).toHaveBeenCalledOnce());
  expect(document.cookie).toBe('django_language=cs');
});

test('the last choice wins, even over messages that come later', async () => {
  let arrive: (module: unknown) => void = () => undefined;
  const slow = new Promise((resolve) => {
    arrive = resolve;
  });
  vi.mocked(loadChunk).mockReturnValueOnce(slow);
  const { user } = renderInSite(<Tagline />);
  await user.click(screen.getByRole('button', { name: 'Čeština' }));
  await user.click(screen.getByRole('button', { name: 'English' }));
  await act(async () => {
    arrive({ default: czech });
    await slow;
  });
  expect(screen.getByText('Where Sailors Unite')).toBeVisible();
  expect(document.documentElement).toHaveAttribute('lang', 'en');
  expect(document.cookie).toBe('django_language=en');
});
