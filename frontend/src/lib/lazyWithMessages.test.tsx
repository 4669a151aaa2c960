import { act, render, screen } from '@testing-library/react';
import { type ReactNode, startTransition, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { FormattedMessage } from 'react-intl';
import { expect, test, vi } from 'vitest';

import { ErrorBoundary } from '../ui/ErrorBoundary';
import { LanguageProvider, useLanguage } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';
import { type LazyComponent, lazyWithMessages } from './lazyWithMessages';

interface ContentProps {
  name?: string;
}

const Content = ({ name = 'Anna' }: ContentProps) => <p>{`Hello ${name}`}</p>;
const load = () => Promise.resolve({ default: Content });

function Site({ language = 'en', children }: { language?: Language | undefined; children: ReactNode }) {
  const onError = (error: Error) => {
    throw error;
  };
  return (
    <LanguageProvider initial={{ language, messages: {} }} onError={onError}>
      {children}
    </LanguageProvider>
  );
}

async function show(Lazy: LazyComponent<ContentProps>, language?: Language) {
  const page = (resetKey: string) => (
    <Site language={language}>
      <ErrorBoundary resetKey={resetKey} fallback={<p>Failed</p>}>
        <Suspense fallback={<p>Loading</p>}>
          <Lazy />
        </Suspense>
      </ErrorBoundary>
    </Site>
  );
  // In a synchronous `act`, React does not go on after the promise.
  const view = await act(async () => {
    await Promise.resolve();
    return render(page('one'), { onCaughtError: () => undefined });
  });
  return { retry: () => view.rerender(page('two')) };
}

test('renders without suspending after a preload', async () => {
  const Lazy = lazyWithMessages(load);
  await Lazy.preload('en', 'required');
  await show(Lazy);
  expect(screen.getByText('Hello Anna')).toBeVisible();
});

test('loads when it is rendered, once', async () => {
  const loadOnce = vi.fn(load);
  const Lazy = lazyWithMessages(loadOnce);
  await show(Lazy);
  expect(await screen.findByText('Hello Anna')).toBeVisible();
  expect(loadOnce).toHaveBeenCalledOnce();
});

test('loads its messages in the language in which it is rendered', async () => {
  const Title = () => <FormattedMessage id="legal.privacyTitle" />;
  const Lazy = lazyWithMessages(() => Promise.resolve({ default: Title }), ['legal']);
  await Lazy.preload('en', 'required');
  await show(Lazy, 'cs');
  expect(await screen.findByText('Ochrana osobních údajů')).toBeVisible();
});

test('counts as loaded only in the languages whose messages are loaded', async () => {
  const Lazy = lazyWithMessages(load, ['legal']);
  await Lazy.preload('en', 'required');
  expect(Lazy.isLoaded('en')).toBe(true);
  expect(Lazy.isLoaded('cs')).toBe(false);
});

test('a part that is loaded during a language switch is shown in the new language', async () => {
  const Title = () => <FormattedMessage id="privacy.title" />;
  const Lazy = lazyWithMessages(() => Promise.resolve({ default: Title }), ['privacy']);
  let switched = Promise.resolve();
  function Page() {
    const { switchLanguage } = useLanguage();
    const [isOpen, setOpen] = useState(false);
    async function followLink() {
      switched = switchLanguage('cs');
      await Lazy.preload('en', 'required');
      setOpen(true);
    }
    return isOpen ? <Lazy /> : <button onClick={() => void followLink()}>Next</button>;
  }
  render(
    <Site>
      <Page />
    </Site>,
  );
  await act(async () => {
    screen.getByRole('button').click();
    await switched;
  });
  expect(await screen.findByText('Smíme zakreslit vaši plavbu?')).toBeVisible();
});

test('keeps its state when it is rendered again after a transition and another load', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false); // within `act`, React does not wait for a microtask
  // A new component for each load, as a page has.
  const Lazy = lazyWithMessages(() =>
    Promise.resolve({ default: (props: ContentProps) => <Content {...props} /> }),
  );
  const root = createRoot(document.body);
  const page = (name?: string) => (
    <Site>
      <Suspense>{name && <Lazy name={name} />}</Suspense>
    </Site>
  );
  root.render(page());
  startTransition(() => root.render(page('Anna')));
  const content = await screen.findByText('Hello Anna');
  await Lazy.preload('cs', 'required');
  root.render(page('Petr'));
  expect(await screen.findByText('Hello Petr')).toBe(content);
  root.unmount();
});

test('a failed load is not repeated until it is preloaded again', async () => {
  const loadLate = vi.fn(load).mockRejectedValueOnce(new Error('Offline'));
  const Lazy = lazyWithMessages(loadLate);
  const { retry } = await show(Lazy);
  expect(await screen.findByText('Failed')).toBeVisible();
  retry();
  expect(await screen.findByText('Failed')).toBeVisible();
  expect(loadLate).toHaveBeenCalledOnce();
  await Lazy.preload('en', 'required');
  await show(Lazy);
  expect(screen.getByText('Hello Anna')).toBeVisible();
});

test('what failed in one language is loaded in it once another language has it', async () => {
  const Lazy = lazyWithMessages(vi.fn(load).mockRejectedValueOnce(new Error('Offline')));
  await expect(Lazy.preload('en', 'optional')).rejects.toThrow('Offline');
  await Lazy.preload('cs', 'required');
  await show(Lazy, 'en');
  expect(await screen.findByText('Hello Anna')).toBeVisible();
});
