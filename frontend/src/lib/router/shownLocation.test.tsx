import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentType, Suspense } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { BrowserRouter, Link, StaticRouter, useLocation } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { LanguageProvider } from '../../i18n/LanguageProvider';
import { lazyWithMessages } from '../lazyWithMessages';
import { NavigationProgress } from '../../ui/NavigationProgress';
import { ShownLocation, useShownLocation } from './shownLocation';

const Home = lazyWithMessages(() => Promise.resolve({ default: () => <h1>Home</h1> }));

function Query() {
  return <output>{useLocation().search}</output>;
}

function site(Next = Home, onFailure: (followedLinks: number) => void = () => undefined) {
  const findPage = (pathname: string) => ({
    page: pathname === '/next' ? Next : Home,
    sources: pathname === '/next' ? ['mail'] : undefined,
  });

  function Site() {
    const { value, isPending } = useShownLocation(findPage, onFailure);
    const { page: Page } = findPage(value.location.pathname);
    return (
      <ShownLocation value={value}>
        <NavigationProgress isPending={isPending} />
        <main>
          <Suspense>
            <Page />
          </Suspense>
          <Query />
          <Link to="/next">Next</Link>
        </main>
      </ShownLocation>
    );
  }
  return (
    <LanguageProvider initial={{ language: 'en', messages: {} }}>
      <Site />
    </LanguageProvider>
  );
}

test('shows the previous page as busy until the next one has loaded', async () => {
  await Home.preload('en', 'required');
  let resolve: (module: { default: ComponentType }) => void = () => undefined;
  const promise = new Promise<{ default: ComponentType }>((settle) => {
    resolve = settle;
  });
  render(<BrowserRouter useTransitions={false}>{site(lazyWithMessages(() => promise))}</BrowserRouter>);
  await userEvent.click(screen.getByRole('link'));
  expect(window.location.pathname).toBe('/next');
  expect(screen.getByRole('heading')).toHaveTextContent('Home');
  expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'true');
  expect(document.querySelector('[data-navigation-progress]')).toBeInTheDocument();
  await act(async () => {
    resolve({ default: () => <h1>Next</h1> });
    await promise;
  });
  expect(await screen.findByRole('heading', { name: 'Next' })).toBeVisible();
  expect(screen.getByRole('main')).not.toHaveAttribute('aria-busy');
  expect(document.querySelector('[data-navigation-progress]')).not.toBeInTheDocument();
});

test('loads a page again that has been loaded in another language only', async () => {
  await Home.preload('en', 'required');
  const offline = Object.assign(new Error('Offline'), { name: 'ChunkLoadError', request: '/messages.js' });
  const load = vi.fn(() => Promise.resolve({ default: () => <h1>Next</h1> }));
  const Next = lazyWithMessages(load);
  await Next.preload('cs', 'required');
  load.mockRejectedValueOnce(offline);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const onFailure = vi.fn();
  render(<BrowserRouter useTransitions={false}>{site(Next, onFailure)}</BrowserRouter>);
  await userEvent.click(screen.getByRole('link'));
  await waitFor(() => expect(onFailure).toHaveBeenCalledExactlyOnceWith(1));
  expect(screen.getByRole('heading')).toHaveTextContent('Home');
});

test.each([
  ['/?type=sloop', '', '?type=sloop'],
  ['/next?source=mail&type=sloop', '?source=mail', '?source=mail&type=sloop'],
  ['/next?source=elsewhere', '', '?source=elsewhere'],
])('hydrates %s with the query of the prerendered page, then shows its own', async (address, first, then) => {
  await Home.preload('en', 'required');
  const page = (location: string) => <StaticRouter location={location}>{site()}</StaticRouter>;
  const [path = ''] = address.split('?');
  const html = renderToString(page(path + first));
  document.body.innerHTML = `<div id="root">${html}</div>`;
  expect(renderToString(page(address))).toBe(html);
  const root = await act(() =>
    Promise.resolve(hydrateRoot(document.getElementById('root') ?? document.body, page(address))),
  );
  expect(screen.getByRole('status')).toHaveTextContent(then);
  act(() => root.unmount());
});
