import { act, render } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { BrowserRouter, StaticRouter } from 'react-router-dom';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { loadLanguage, setLanguage } from '../i18n/catalogues';
import { TOKEN_KEY } from '../session/token';
import { serveGraphQL } from '../test/graphql';
import { SITE } from '../test/render';
import { App } from './App';
import { pages, routes } from './routes';

beforeAll(async () => {
  await Promise.all(Object.values(pages).map((page) => page.preload('required')));
  await loadLanguage('en');
  await loadLanguage('cs');
}, 60_000);

beforeEach(() => {
  document.head.innerHTML = '<title></title>';
});

function prerender(path: string, language: 'en' | 'cs'): string {
  setLanguage(language);
  return renderToString(
    <StaticRouter location={path}>
      <App config={SITE} />
    </StaticRouter>,
  );
}

async function hydrate(address: string, language: 'en' | 'cs'): Promise<() => void> {
  // The state of a redirect to /signin, which the prerendered page does not know.
  window.history.replaceState({ usr: { from: '/profile' } }, '', address);
  const html = prerender(window.location.pathname, language);
  expect(html).toContain('<h1');
  document.body.innerHTML = `<div id="root">${html}</div>`;
  const container = document.getElementById('root') ?? document.body;
  const { unmount } = await act(() =>
    Promise.resolve(render(<App config={SITE} />, { container, hydrate: true, wrapper: BrowserRouter })),
  );
  return unmount;
}

// A mismatch is written to the console, which fails the test (test/setup.ts).
test.each(routes.flatMap(({ path }) => [[path, 'en'] as const, [path, 'cs'] as const]))(
  '%s (%s) hydrates without a mismatch',
  async (path, language) => {
    const unmount = await hydrate(path, language);
    expect(document.querySelector('h1')).toBeVisible();
    unmount();
  },
);

test.each(['/marketplace?type=sailboat', '/events?type=regatta', '/dashboard', '/'])(
  '%s hydrates without a mismatch for a member',
  async (address) => {
    localStorage.setItem(TOKEN_KEY, 'anna-1');
    serveGraphQL(new Promise<Response>(() => undefined));
    const unmount = await hydrate(address, 'en');
    expect(document.querySelector('h1')).toBeInTheDocument();
    // The session is loaded in the background.
    await act(() => vi.dynamicImportSettled());
    unmount();
  },
);
