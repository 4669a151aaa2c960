import { expect, test } from 'vitest';

import { trackedEvents } from '../test/analytics';
import { repeatPageView, trackClick, trackPageView } from './track';

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
