import { afterEach, expect, test, vi } from 'vitest';

import { trackedEvents } from '../test/analytics';
import { repeatPageView, track, trackClick, trackPageView } from './track';

afterEach(() => {
  document.body.innerHTML = '';
});

test('an event is queued in dataLayer as an arguments object', () => {
  track('button_click', { button: 'start_your_journey', location: 'landing-sailors' });
  expect(Object.prototype.toString.call(window.dataLayer?.[0])).toBe('[object Arguments]');
  expect(trackedEvents()).toEqual([
    ['button_click', { button: 'start_your_journey', location: 'landing-sailors' }],
  ]);
});

test('the queue is limited to 300 events and drops the oldest', () => {
  for (let press = 0; press < 300; press += 1) {
    track('button_click', { button: 'back', location: 'newsletter' });
  }
  track('button_click', { button: 'go_back', location: 'not-found' });
  expect(window.dataLayer).toHaveLength(300);
  expect(trackedEvents().at(-1)).toEqual(['button_click', { button: 'go_back', location: 'not-found' }]);
});

test('an event sends no request', () => {
  vi.stubGlobal('fetch', vi.fn());
  track('menu_interaction', { menu: 'overlay', action: 'open' });
  expect(fetch).not.toHaveBeenCalled();
  expect(document.querySelector('script')).toBeNull();
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
});

test('a press of a button is recorded with its page', () => {
  trackPageView('/marketplace', 'marketplace');
  expect(
    click('<button data-track="view_details" data-track-item="bora"><b class="clicked">Details</b></button>'),
  ).toContainEqual(['button_click', { button: 'view_details', location: 'marketplace', item: 'bora' }]);
});

test('a press of a pending button is not recorded', () => {
  const pending =
    '<button data-track="set_sail" aria-disabled="true"><b class="clicked">Signing in</b></button>';
  expect(click(pending)).toEqual([]);
});

function click(html: string) {
  document.body.innerHTML = html;
  document.addEventListener('click', trackClick, { capture: true });
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  document.querySelector<HTMLElement>('.clicked')?.click();
  document.removeEventListener('click', trackClick, { capture: true });
  return trackedEvents();
}

test.each([
  ['<main><a href="/newsletter"><b class="clicked">Join</b></a></main>', 'main'],
  ['<header><nav><a class="clicked" href="/newsletter">Join</a></nav></header>', 'header'],
  ['<header><dialog open><a class="clicked" href="/newsletter">Join</a></dialog></header>', 'dialog'],
  ['<main><header><a class="clicked" href="/newsletter">Join</a></header></main>', 'main'],
  ['<footer><a class="clicked" href="/newsletter">Join</a></footer>', 'footer'],
  ['<a class="clicked" href="/newsletter">Join</a>', 'page'],
])('a click on a link to another page of this site is a navigation: %s', (html, area) => {
  expect(click(html)).toEqual([['navigation', { from_path: '/', to_path: '/newsletter', area }]]);
});

test.each([
  ['a link within the page', '<a class="clicked" href="#content">Skip</a>'],
  ['the language switch', '<a class="clicked" href="?lang=cs">Čeština</a>'],
  ['another site', '<a class="clicked" href="https://example.org/newsletter">Elsewhere</a>'],
  ['a mail address', '<a class="clicked" href="mailto:hello@sailing.example">Write</a>'],
  ['a button', '<button class="clicked">Press</button>'],
])('a click on %s is not a navigation', (_, html) => {
  expect(click(html)).toEqual([]);
});
