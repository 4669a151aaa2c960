import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { SiteConfigProvider } from '../lib/SiteConfig';
import { LanguageProvider } from '../i18n/LanguageProvider';
import { reloadPage } from '../lib/reloadPage';
import { markUserInteraction } from '../lib/userInteraction';
import { renderInSite, SITE } from '../test/render';
import { ToastProvider } from '../shell/ToastProvider';
import { Analytics } from './Analytics';
import { PrivacyButton, storeConsent } from './consent';
import Privacy from './Privacy';
import { trackPageView } from './track';

vi.mock('./Privacy', { spy: true });
vi.mock('../lib/reloadPage', () => ({ reloadPage: vi.fn() }));

const ID = 'G-TEST1234';
const DISABLE = `ga-disable-${ID}` as const;

beforeEach(() => {
  // Google's tag has not been loaded.
  for (const script of document.querySelectorAll('script')) script.remove();
  delete window['ga-disable-G-TEST1234'];
  document.title = 'Crossroad';
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  // Resets the answer kept in memory.
  storeConsent('denied');
  delete document.documentElement.dataset.touched;
  for (const name of ['_ga', '_ga_TEST1234', 'other_ga']) document.cookie = `${name}=; Path=/; Max-Age=0`;
});

interface Visit {
  id?: string;
  language?: 'en' | 'cs';
  /** The first interaction of the visitor; null for none. */
  interaction?: string | null;
}

async function show({ id = ID, interaction = 'pointermove', ...options }: Visit = {}) {
  document.documentElement.toggleAttribute('data-measured', id !== ''); // as Django does
  const page = (
    <SiteConfigProvider config={{ ...SITE, gaMeasurementId: id }}>
      <Analytics>
        <h1>The page</h1>
        <PrivacyButton />
      </Analytics>
    </SiteConfigProvider>
  );
  // A suspended render continues only within an awaited `act`.
  const view = await act(() => Promise.resolve(renderInSite(page, options)));
  if (interaction) await act(() => Promise.resolve(fireEvent(window, new Event(interaction))));
  return view;
}

const findBanner = () => screen.findByRole('region', { name: 'May we chart your visit?' });
const banner = () => screen.queryByRole('region');
const scripts = () => [...document.scripts].map(({ src }) => src);
const commands = () => (window.dataLayer ?? []).map((command) => Array.from<unknown>(command as IArguments));
/** Wait for what is loading; return whether the banner and the code for Google's tag were. */
async function loadsPrivacy() {
  await act(() => vi.dynamicImportSettled());
  return vi.mocked(Privacy).mock.calls.length > 0;
}

async function answer(user: UserEvent, name: 'Accept' | 'Reject') {
  await findBanner();
  await user.click(screen.getByRole('button', { name }));
  await waitFor(() => expect(banner()).not.toBeInTheDocument());
}

describe('without a measurement id', () => {
  test('no banner shows and nothing is loaded', async () => {
    await show({ id: '' });
    fireEvent.click(screen.getByText('Privacy settings')); // the style sheet hides it
    expect(await loadsPrivacy()).toBe(false);
    expect(banner()).not.toBeInTheDocument();
    expect(scripts()).toEqual([]);
  });

  test('there are no listeners for interaction', async () => {
    const listen = vi.spyOn(window, 'addEventListener');
    await show({ id: '', interaction: null });
    expect(listen.mock.calls.map(([type]) => type)).not.toContain('pointermove');
  });
});

describe('before an answer', () => {
  test.each(['pointermove', 'pointerdown', 'keydown', 'scroll'])(
    'the banner shows on the first %s',
    async (interaction) => {
      await show({ interaction });
      expect(await findBanner()).toBeVisible();
    },
  );

  test('the banner sets its height as a CSS variable and removes it', async () => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(120);
    const height = () => document.documentElement.style.getPropertyValue('--banner');
    const { user } = await show();
    await findBanner();
    expect(height()).toBe('120px');
    await answer(user, 'Reject');
    expect(height()).toBe('');
  });
});

describe('after consent', () => {
  test.each([
    ['http://127.0.0.1:8000/account/verify/Zq7-secret_token/?lang=cs#x', 'http://127.0.0.1:8000/'],
    ['https://search.example/find?q=sailing', 'https://search.example/'],
    ['android-app://com.example.mail/inbox/7', 'android-app://com.example.mail/'],
    ['', ''],
  ])('the referrer %j is reported as %j', async (referrer, reported) => {
    vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
    const { user } = await show();
    await answer(user, 'Accept');
    expect(commands()[4]?.[2]).toMatchObject({ page_referrer: reported });
  });

  test.each([
    ['?invitation=0123456789abcdef0123456789abcdef', ''],
    [
      '?utm_source=club&invitation=0123456789abcdef0123456789abcdef&email=anna@example.com',
      '?utm_source=club',
    ],
    ['?utm_medium=print&utm_campaign=boat+show#top', '?utm_medium=print&utm_campaign=boat+show'],
  ])('the query %j is reported as %j', async (query, reported) => {
    window.history.replaceState(null, '', `/newsletter${query}`);
    trackPageView('/newsletter');
    const { user } = await show();
    await answer(user, 'Accept');
    const locations = () =>
      commands().flatMap(([, values]) => (values as { page_location?: string }).page_location ?? []);
    expect(locations()).not.toHaveLength(0);
    expect(new Set(locations())).toEqual(new Set([`${window.location.origin}/newsletter${reported}`]));
    window.history.replaceState(null, '', `/events${query}`);
    trackPageView('/events');
    expect(locations().at(-1)).toBe(`${window.location.origin}/events${reported}`);
    expect(commands().at(-1)?.[1]).toBe('page_view');
    window.history.replaceState(null, '', '/');
  });

  test('the next visit is measured after the load event', async () => {
    localStorage.setItem('analytics-consent', 'granted');
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    await show();
    expect(scripts()).toEqual([]);
    await act(() => Promise.resolve(fireEvent(window, new Event('load'))));
    await waitFor(() => expect(scripts()).toHaveLength(1));
  });

  test('consent lasts as long as the page where storage is blocked', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('Denied', 'SecurityError');
    });
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Denied', 'SecurityError');
    });
    const { user } = await show();
    await answer(user, 'Accept');
    expect(scripts()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Privacy settings' }));
    await answer(user, 'Reject');
    expect(window[DISABLE]).toBe(true);
  });
});

describe('after a rejection', () => {
  test('nothing is loaded on a prerendered page that was touched before it was hydrated', async () => {
    localStorage.setItem('analytics-consent', 'denied');
    markUserInteraction();
    const page = (
      <SiteConfigProvider config={{ ...SITE, gaMeasurementId: ID }}>
        <LanguageProvider>
          <ToastProvider>
            <Analytics>
              <h1>The page</h1>
            </Analytics>
          </ToastProvider>
        </LanguageProvider>
      </SiteConfigProvider>
    );
    document.body.innerHTML = renderToString(page);
    render(page, { container: document.body, hydrate: true });
    expect(await loadsPrivacy()).toBe(false);
  });

  test('cookies of an earlier visit are deleted', async () => {
    document.cookie = '_ga=GA1.1.1; Path=/';
    document.cookie = 'other_ga=stays; Path=/';
    const { user } = await show();
    await answer(user, 'Reject');
    expect(document.cookie).toBe('other_ga=stays');
  });

  test('a later visit can consent with the button in the footer', async () => {
    localStorage.setItem('analytics-consent', 'denied');
    const { user } = await show();
    await user.click(screen.getByRole('button', { name: 'Privacy settings' }));
    expect(await findBanner()).toHaveFocus();
    expect(screen.getByText('Current choice: rejected. Nothing is counted.')).toBeVisible();
    await answer(user, 'Accept');
    expect(scripts()).toHaveLength(1);
  });

  test.each([
    ['at once', 'storage'],
    ['when the page returns from the back/forward cache', 'pageshow'],
  ])('consent in another tab counts %s', async (_, type) => {
    localStorage.setItem('analytics-consent', 'denied');
    await show();
    localStorage.setItem('analytics-consent', 'granted');
    await act(() => Promise.resolve(fireEvent(window, new Event(type))));
    await waitFor(() => expect(scripts()).toHaveLength(1));
  });

  test('an unknown stored value counts as no answer', async () => {
    localStorage.setItem('analytics-consent', 'maybe');
    await show();
    expect(await findBanner()).toBeVisible();
  });
});

test('a withdrawn consent deletes the cookies and reloads the page without the tag', async () => {
  const { user } = await show();
  await answer(user, 'Accept');
  document.cookie = '_ga=GA1.1.1; Path=/';
  document.cookie = '_ga_TEST1234=GS1.1.1; Path=/';
  document.cookie = 'other_ga=stays; Path=/';
  await user.click(screen.getByRole('button', { name: 'Privacy settings' }));
  await answer(user, 'Reject');
  expect(reloadPage).toHaveBeenCalledOnce();
  expect(window[DISABLE]).toBe(true);
  expect(document.cookie).toBe('other_ga=stays');
  expect(localStorage.getItem('analytics-consent')).toBe('denied');
});
