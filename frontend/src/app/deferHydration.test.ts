import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { INTERACTIONS, onUserInteraction } from '../lib/userInteraction';
import { TOKEN_KEY } from '../session/token';

const SCRIPTS = ['/static/app/main.js', '/static/app/page.js'];

/** Return the URLs of the requested scripts in order. */
const loadedScripts = () =>
  [...document.querySelectorAll('head script')].map((script) => script.getAttribute('src'));

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const dispatch = (type: string) => document.body.dispatchEvent(new Event(type, { bubbles: true }));
const failLast = () => document.querySelector('head script:last-child')?.dispatchEvent(new Event('error'));

let finishDecoding: () => void;

/** Report a paint, as a browser does; undefined while nothing observes paints. */
let paint: ((name: string) => void) | undefined;

class FakeObserver {
  constructor(readonly callback: (seen: Partial<PerformanceObserverEntryList>) => void) {}
  observe({ type, buffered }: PerformanceObserverInit) {
    // The first paint is usually over by then.
    if (type !== 'paint' || !buffered) return;
    paint = (name) =>
      this.callback({ getEntriesByName: (asked) => (asked === name ? [{} as PerformanceEntry] : []) });
  }
}

/** Run the script in the head of a page whose body, with a loaded picture and a lazy one, comes after it. */
beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('PerformanceObserver', FakeObserver);
  paint = undefined;
  document.body.replaceChildren();
  const script = document.createElement('script');
  script.dataset.scripts = SCRIPTS.join(' ');
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  vi.resetModules();
  await import('./deferHydration');
  document.body.innerHTML = '<img><img><p id="notice" data-offline="You are offline."></p>';
  const decoded = new Promise<void>((resolve) => (finishDecoding = resolve));
  [...document.images].forEach((picture, index) => {
    Object.defineProperty(picture, 'complete', { value: index === 0 });
    picture.decode = () => (index === 0 ? decoded : new Promise<void>(() => undefined));
  });
});

afterEach(() => {
  vi.useRealTimers();
  dispatchEvent(new Event('online')); // asks for what failed in this test
  dispatchEvent(new Event('hydrated')); // ends the script of this test
  document.head.replaceChildren();
  delete document.documentElement.dataset.touched;
});

test('marks the document of a member at once', async () => {
  localStorage.setItem(TOKEN_KEY, 'a.b.c');
  vi.resetModules();
  await import('./deferHydration');
  dispatch('keydown'); // both scripts of this test are done
  expect(document.documentElement.dataset).toHaveProperty('member');
});

test('loads the scripts in order, once, when the pictures are decoded and painted', async () => {
  dispatchEvent(new Event('load'));
  await wait(900);
  expect(paint).toBeUndefined();
  finishDecoding();
  await wait(100);
  paint?.('first-paint'); // only the background
  await wait(100);
  expect(loadedScripts()).toEqual([]);
  paint?.('first-contentful-paint');
  await wait(100);
  dispatch('keydown');
  await wait(2000);
  expect(loadedScripts()).toEqual(SCRIPTS);
  expect(document.querySelectorAll('head script[async]')).toHaveLength(0);
});

test('loads them after a timeout when the browser reports no paint', async () => {
  dispatchEvent(new Event('load'));
  finishDecoding();
  await wait(900);
  expect(loadedScripts()).toEqual([]);
  await wait(900);
  expect(loadedScripts()).toEqual(SCRIPTS);
});

test.each(INTERACTIONS)('%s loads them at once, and is recorded', (type) => {
  dispatch(type);
  expect(loadedScripts()).toEqual(SCRIPTS);
  const listener = vi.fn();
  onUserInteraction(listener)();
  expect(listener).toHaveBeenCalledOnce();
});

test('an interaction with the first part of a page loads them once the rest has arrived', () => {
  const readyState = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  dispatch('keydown');
  expect(loadedScripts()).toEqual([]);
  readyState.mockReturnValue('interactive');
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
  expect(loadedScripts()).toEqual(SCRIPTS);
});

test.each([
  ['presses the last pressed button again', '<button>Back</button><button id="last"><b>Menu</b></button>', 1],
  ['forgets a press before another click', '<button>Menu</button><p id="last"><b>Words</b></p>', 0],
  ['presses no button that submits', '<button id="last" type="submit"><b>Join</b></button>', 0],
  ['presses no button that opens a menu', '<button id="last" popovertarget="menu"><b>Menu</b></button>', 0],
])('after hydration it %s', (_, html, times) => {
  document.body.innerHTML = html;
  document.querySelector('button')?.click();
  document.querySelector('b')?.click();
  const press = vi.fn();
  document.addEventListener('click', press);
  dispatchEvent(new Event('hydrated'));
  dispatchEvent(new Event('hydrated'));
  document.removeEventListener('click', press);
  const last = document.getElementById('last');
  expect(press.mock.calls.map(([event]) => (event as Event).target)).toEqual(Array(times).fill(last));
});

test.each<[string, string, boolean, isOnline?: boolean]>([
  ['to another page', 'href="/newsletter"', false],
  ['to another tab', 'href="/newsletter" target="_blank"', false],
  ['to a part of the page', 'href="#services"', true],
  ['to a mailbox', 'href="mailto:ahoy@sailing.example"', true],
  ['to another page, online', 'href="/newsletter"', true, true],
])('an offline click on a link %s keeps the page and says so, or is left to the browser', (...row) => {
  const [, attributes, isFollowed, isOnline = false] = row;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  document.body.insertAdjacentHTML('beforeend', `<a ${attributes}><b>Link</b></a>`);
  let isPrevented = false;
  const read = (event: Event) => {
    isPrevented = event.defaultPrevented;
    event.preventDefault(); // jsdom cannot navigate
  };
  addEventListener('click', read, { once: true });
  document.querySelector<HTMLElement>('a b')?.click();
  expect(isPrevented).toBe(!isFollowed);
  const notice = document.getElementById('notice');
  expect(notice?.textContent).toBe(isFollowed ? '' : 'You are offline.');
  dispatchEvent(new Event('online'));
  expect(notice?.textContent).toBe('');
});

describe('a script that cannot be loaded', () => {
  const reload = vi.fn();
  const missing = () => Promise.resolve(new Response('', { status: 404 }));

  function prepare(visit: string, answer: () => Promise<Response>) {
    const visits = [{ type: visit }] as PerformanceNavigationTiming[];
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue(visits);
    vi.stubGlobal('location', { reload });
    vi.stubGlobal('fetch', answer);
    dispatch('keydown');
    failLast();
  }

  test('because a deploy has removed it reloads the page', async () => {
    prepare('navigate', missing);
    await wait(900);
    expect(reload).toHaveBeenCalledOnce();
  });

  test.each<[string, string, () => Promise<Response>]>([
    ['the site starts again', 'navigate', () => Promise.resolve(new Response('', { status: 502 }))],
    ['the connection broke once', 'reload', () => Promise.resolve(new Response(''))],
    ['the server cannot be reached', 'navigate', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a deploy is under way', 'reload', missing],
  ])('because %s is asked for once more, and by each click or when the network is back', async (...row) => {
    const [, visit, answer] = row;
    prepare(visit, answer);
    await wait(2900);
    expect(loadedScripts()).toEqual(SCRIPTS);
    await wait(100);
    expect(loadedScripts()).toEqual([...SCRIPTS, SCRIPTS[1]]);
    for (const [index, event] of ['click', 'online'].entries()) {
      failLast();
      await wait(60_000);
      expect(loadedScripts()).toHaveLength(3 + index);
      dispatch(event);
      dispatch(event);
      expect(loadedScripts()).toHaveLength(4 + index);
    }
    expect(reload).not.toHaveBeenCalled();
  });
});
