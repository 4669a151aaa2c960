import { act, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';

import { trackClick } from '../consent/track';
import { loadChunk } from '../lib/loadChunk';
import { trackedEvents } from '../test/analytics';
import { SITE } from '../test/render';
import { start } from './start';

vi.mock('../lib/loadChunk', { spy: true });
vi.mock('react-dom/client', { spy: true });

/** Thrown by the landing page, which the other tests do not need. */
const pageError = vi.hoisted(() => new Error('The page failed'));

vi.mock('../pages/landing/LandingPage', () => ({
  default: () => {
    throw pageError;
  },
  Layout: ({ children }: { children: ReactNode }) => children,
}));

/** Set up the document as Django sends it, which a translator may have changed. */
function serve(language: string, { lang = language, content = '' } = {}) {
  document.documentElement.lang = lang;
  document.documentElement.dataset.language = language;
  const root = content
    ? `<div id="root">${content}</div>`
    : '<div id="root" data-failure="Načtěte ji prosím znovu."></div>';
  const config = `<script type="application/json" id="site-config">${JSON.stringify(SITE)}</script>`;
  document.body.innerHTML = `${root}${config}`;
}

afterEach(() => {
  // A mounted tree could go on working after the test.
  for (const { value } of vi.mocked(createRoot).mock.results) act(() => (value as Root).unmount());
  document.removeEventListener('click', trackClick, { capture: true });
  document.body.innerHTML = '';
  document.documentElement.lang = 'en';
});

test('renders the page of the address with the settings of the server, and removes ?lang= that the cookie has', async () => {
  document.cookie = 'django_language=cs; Path=/';
  window.history.replaceState({ key: 'k1' }, '', '/newsletter?lang=cs&from=mail#content');
  serve('cs');
  await start();
  expect(window.location.href).toBe('http://127.0.0.1:8000/newsletter?from=mail#content');
  expect(window.history.state).toMatchObject({ key: 'k1' });
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Buďte na palubě mezi prvními');
  expect(screen.getByText('© 2025 Sailing')).toBeVisible();
});

test.each([
  ['wrapped', { content: '<h1><font><font>Gemeinschaft</font></font></h1>' }],
  ['replaced', { lang: 'de', content: '<h1>Gemeinschaft</h1>' }],
])('renders a prerendered page anew when its texts are %s by a translator', async (_, changes) => {
  const onHydrated = vi.fn();
  window.addEventListener('hydrated', onHydrated, { once: true });
  serve('cs', changes);
  await start();
  expect(await screen.findByText('Jachtařská komunita')).toBeVisible();
  expect(screen.queryByText('Gemeinschaft')).not.toBeInTheDocument();
  expect(hydrateRoot).not.toHaveBeenCalled();
  expect(onHydrated).toHaveBeenCalledOnce();
});

test('counts the press that is replayed at hydration, and then clicks on links', async () => {
  window.history.replaceState(null, '', '/newsletter');
  serve('en');
  document.body.insertAdjacentHTML('beforeend', '<button data-track="go_back"></button>');
  const replay = () => document.querySelector<HTMLElement>('[data-track=go_back]')?.click();
  window.addEventListener('hydrated', replay, { once: true });
  await start();
  expect(trackedEvents()).toEqual([['button_click', { button: 'go_back', location: 'newsletter' }]]);
  await screen.findByRole('heading', { name: 'Be among the first aboard' });
  const footer = screen.getByRole('contentinfo');
  footer.addEventListener('click', (event) => event.preventDefault(), { capture: true });
  within(footer).getByRole('link', { name: 'Marketplace' }).click();
  expect(trackedEvents().at(-1)).toEqual([
    'navigation',
    { from_path: '/newsletter', to_path: '/marketplace', area: 'footer' },
  ]);
});

test('reports an error that a boundary catches', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  window.history.replaceState(null, '', '/landing');
  serve('en');
  await start();
  expect(await screen.findByText('This page ran aground')).toBeVisible();
  expect(reported.mock.calls).toEqual([[pageError]]);
});

test.each([
  ['shows the message of the server', 'online', '', 'Načtěte ji prosím znovu.'],
  ['keeps a prerendered page', 'click', '<h1>Ihr digitaler Hafen.</h1>', 'Ihr digitaler Hafen.'],
])('%s when the chunks cannot be loaded, until the next %s', async (_, event, content, shown) => {
  vi.mocked(loadChunk).mockRejectedValueOnce(new Error('Loading chunk messages failed'));
  serve('en', { lang: 'de', content });
  await expect(start()).rejects.toThrow('Loading chunk messages failed');
  expect(screen.getByText(shown)).toBeVisible();
  document.body.dispatchEvent(new Event(event, { bubbles: true }));
  expect(await screen.findByRole('heading', { name: /^Your digital port/ })).toBeVisible();
});
