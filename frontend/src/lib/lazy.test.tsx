import { act, render, screen } from '@testing-library/react';
import { FormattedMessage } from 'react-intl';
import { expect, test, vi } from 'vitest';

import { messages } from '../i18n/catalogues';
import { LanguageProvider, switchLanguage } from '../i18n/LanguageProvider';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { lazyWithMessages } from './lazy';

const Title = () => <FormattedMessage id="legal.documents" />;

test('a part is loaded once, with its messages, which follow a change of the language', async () => {
  const load = vi.fn(() => Promise.resolve({ default: Title }));
  const Lazy = lazyWithMessages(load, ['legal']);
  const switched = switchLanguage('cs');
  await Promise.all([Lazy.preload('required'), switched]);
  await Lazy.preload('optional');
  expect(load).toHaveBeenCalledOnce();
  expect(Object.keys(messages.en)).toContain('legal.documents');
  render(
    <LanguageProvider>
      <Lazy />
    </LanguageProvider>,
  );
  expect(screen.getByText('Právní dokumenty')).toBeVisible();
});

test('a part that is rendered first loads itself; after a failure the next call loads it again', async () => {
  const load = vi.fn(() => Promise.resolve({ default: Title })).mockRejectedValueOnce(new Error('Offline'));
  const Lazy = lazyWithMessages(load);
  const site = (key: string) => (
    <LanguageProvider>
      <ErrorBoundary resetKey={key} fallback="Failed">
        <Lazy />
      </ErrorBoundary>
    </LanguageProvider>
  );
  const { rerender } = await act(() =>
    Promise.resolve(render(site('1'), { onCaughtError: () => undefined })),
  );
  expect(await screen.findByText('Failed')).toBeVisible();
  expect(Lazy.isLoaded()).toBe(false);
  await Lazy.preload('required');
  rerender(site('2'));
  expect(screen.getByText('Právní dokumenty')).toBeVisible();
});
