import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { reloadPage } from '../lib/reloadPage';
import { trackedEvents } from '../test/analytics';
import { renderInSite } from '../test/render';
import { Analytics } from './Analytics';
import { PrivacyButton, storeConsent } from './consent';
import { repeatPageView, trackClick, trackPageView } from './track';

vi.mock('../lib/reloadPage', () => ({ reloadPage: vi.fn() }));

const ID = 'G-TEST1234';

beforeEach(() => {
  // Google's tag has not been loaded.
  for (const script of document.querySelectorAll('script')) script.remove();
});

afterEach(() => {
  vi.restoreAllMocks();
  storeConsent('denied'); // resets the answer kept in memory
});

/** Visit a page whose measurement id may be blank, and touch it. */
async function visit(gaMeasurementId = ID) {
  const { user } = renderInSite(<Analytics children={<PrivacyButton />} />, { config: { gaMeasurementId } });
  await act(() => Promise.resolve(fireEvent(window, new Event('pointermove'))));
  return async (name: 'Accept' | 'Reject') => {
    await user.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('region')).not.toBeInTheDocument());
  };
}

const openSettings = () => fireEvent.click(screen.getByText('Privacy settings'));
const scripts = () => [...document.scripts].map(({ src }) => src);
const commands = () => (window.dataLayer ?? []).map((command) => Array.from<unknown>(command as IArguments));

test('without a measurement id no banner shows and nothing is loaded', async () => {
  await visit('');
  await act(() => vi.dynamicImportSettled());
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
  expect(scripts()).toEqual([]);
});

test.each([
  ['http://127.0.0.1:8000/account/verify/Zq7-secret_token/?lang=cs#x', 'http://127.0.0.1:8000/'],
  ['android-app://com.example.mail/inbox/7', 'android-app://com.example.mail/'],
  ['', ''],
])('the referrer %j is reported as %j', async (referrer, reported) => {
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  const answer = await visit();
  await answer('Accept');
  expect(commands()[4]?.[2]).toMatchObject({ page_referrer: reported });
});

test.each([
  ['?invitation=0123456789abcdef0123456789abcdef#top', ''],
  ['?utm_source=club&invitation=0123456789abcdef0123456789abcdef&email=anna@example.com', '?utm_source=club'],
])('the query %j is reported as %j', async (query, reported) => {
  window.history.replaceState(null, '', `/newsletter${query}`);
  trackPageView('/newsletter');
  const answer = await visit();
  await answer('Accept');
  const locations = () =>
    commands().flatMap(([, values]) => (values as { page_location?: string }).page_location ?? []);
  expect(new Set(locations())).toEqual(new Set([`${window.location.origin}/newsletter${reported}`]));
  window.history.replaceState(null, '', `/events${query}`);
  trackPageView('/events');
  expect(locations().at(-1)).toBe(`${window.location.origin}/events${reported}`);
  expect(commands().at(-1)?.[1]).toBe('page_view');
});

test('consent lasts as long as the page where storage is blocked', async () => {
  for (const method of ['getItem', 'setItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('Denied', 'SecurityError');
    });
  const answer = await visit();
  await answer('Accept');
  expect(scripts()).toEqual([`https://www.googletagmanager.com/gtag/js?id=${ID}`]);
  openSettings();
  expect(await screen.findByText(/^Current choice: accepted/)).toBeVisible();
});

test('a rejection deletes the cookies of an earlier visit, is taken back, and then reloads without the tag', async () => {
  document.cookie = '_ga=GA1.1.1; Path=/';
  document.cookie = 'other_ga=stays; Path=/';
  localStorage.setItem('analytics-consent', 'maybe'); // no answer
  const answer = await visit();
  await answer('Reject');
  expect(document.cookie).toBe('other_ga=stays');
  openSettings();
  expect(await screen.findByRole('region')).toHaveFocus();
  await answer('Accept');
  expect(scripts()).toHaveLength(1);
  openSettings();
  await answer('Reject');
  expect(reloadPage).toHaveBeenCalledOnce();
  document.cookie = 'other_ga=; Path=/; Max-Age=0';
});

test.each([
  ['at once', 'storage'],
  ['when the page returns from the back/forward cache', 'pageshow'],
])('an answer in another tab counts %s', async (_, type) => {
  const answerElsewhere = (answer: string) => {
    localStorage.setItem('analytics-consent', answer);
    return act(() => Promise.resolve(fireEvent(window, new Event(type))));
  };
  localStorage.setItem('analytics-consent', 'denied');
  await visit();
  await answerElsewhere('granted');
  await waitFor(() => expect(scripts()).toHaveLength(1));
  await answerElsewhere('denied');
  await waitFor(() => expect(Reflect.get(window, `ga-disable-${ID}`)).toBe(true));
});

test('a page view has the path, title and language of the page, and is recorded once', () => {
  document.title = 'Newsletter - Join the Community';
  document.documentElement.dataset.language = 'en';
  document.documentElement.lang = 'de'; // by a translator
  trackPageView('/newsletter');
  trackPageView('/newsletter');
  const view = [
    'page_view',
    { page_path: '/newsletter', page_title: 'Newsletter - Join the Community', language: 'en' },
  ];
  expect(trackedEvents()).toEqual([view]);
  repeatPageView();
  expect(trackedEvents()).toEqual([view, view]);
  // Google's tag knows a command by that.
  expect(Object.prototype.toString.call(window.dataLayer?.[0])).toBe('[object Arguments]');
});

const press = (button: string, item?: string) => [['button_click', { button, location: 'home', item }]];
const follow = (area: string) => [['navigation', { from_path: '/', to_path: '/newsletter', area }]];
const link = '<a href="/newsletter"><b>Join</b></a>';

test.each([
  ['a button', '<button data-track="view_details"><b>Details</b></button>', press('view_details')],
  ['one of several', '<b data-track="join" data-track-item="bora">Details</b>', press('join', 'bora')],
  ['a pending button', '<button data-track="set_sail" aria-disabled="true"><b>Signing in</b></button>', []],
  ['an unnamed button', '<button><b>Press</b></button>', []],
  ['a link to another page', `<main>${link}</main>`, follow('main')],
  ['a link of the header', `<header><nav>${link}</nav></header>`, follow('header')],
  ['a link of a menu', `<header><dialog open>${link}</dialog></header>`, follow('dialog')],
  ['a link of a heading', `<main><header>${link}</header></main>`, follow('main')],
  ['a link outside all', link, follow('page')],
  ['a link within the page', '<a href="#content"><b>Skip</b></a>', []],
  ['the language switch', '<a href="?lang=cs"><b>Čeština</b></a>', []],
  ['a link to another site', '<a href="https://example.org/newsletter"><b>Elsewhere</b></a>', []],
  ['a personal link', '<a href="/preferences" referrerpolicy="no-referrer"><b>Preferences</b></a>', []],
])('a click on %s', (_, html, events) => {
  trackPageView('/', 'home');
  delete window.dataLayer;
  document.body.innerHTML = html;
  document.addEventListener('click', trackClick, { capture: true });
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  document.querySelector('b')?.click();
  document.removeEventListener('click', trackClick, { capture: true });
  document.body.replaceChildren();
  expect(trackedEvents()).toEqual(events);
});
