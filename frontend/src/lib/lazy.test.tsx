import { render, screen } from '@testing-library/react';
import { FormattedMessage } from 'react-intl';
import { expect, test, vi } from 'vitest';

import { messages } from '../i18n/catalogues';
import { LanguageProvider, switchLanguage } from '../i18n/LanguageProvider';
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

test('a part that failed throws why, until it is loaded', async () => {
  const failure = new Error('Offline');
  const Lazy = lazyWithMessages(
    vi.fn(() => Promise.resolve({ default: Title })).mockRejectedValueOnce(failure),
  );
  await expect(Lazy.preload('optional')).rejects.toThrow(failure);
  expect(Lazy.isLoaded()).toBe(false);
  expect(() => Lazy.getModule()).toThrow(failure);
  await Lazy.preload('required');
  expect(Lazy.getModule()).toEqual({ default: Title });
});
