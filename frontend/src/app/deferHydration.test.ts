import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { INTERACTIONS, onUserInteraction } from '../lib/userInteraction';
import { TOKEN_KEY } from '../session/token';

const SCRIPTS = ['/static/app/main.js', '/static/app/page.js'];

/** Return the URLs of the requested scripts in order. */
const loadedScripts = () =>
  [...document.querySelectorAll('head script')].map((script) => script.getAttribute('src'));

const wait = () => vi.advanceTimersByTimeAsync(900);

let isDecoded: () => void;

/** Report a paint, as a browser does; undefined while nothing observes paints. */
let painted: ((name: string) => void) | undefined;

/** Run the script on a page with a loaded picture and a lazy one. */
beforeEach(async () => {
  vi.useFakeTimers();
  painted = undefined;
  let tellOfPaints: (name: string) => void;
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(tell: (seen: Partial<PerformanceObserverEntryList>) => void) {
        tellOfPaints = (name) =>
          tell({ getEntriesByName: (asked) => (asked === name ? [{} as PerformanceEntry] : []) });
      }
      observe(what: PerformanceObserverInit) {
        // The first paint is usually over by then.
        if (what.type === 'paint' && what.buffered) painted = tellOfPaints;
      }
    },
  );
  document.body.replaceChildren();
  const script = document.createElement('script');
  script.dataset.scripts = SCRIPTS.join(' ');
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  vi.resetModules();
  await import('./deferHydration');
  // The script is in the head, so the body comes after it.
  document.body.innerHTML =
    '<img id="hero"><img id="below"><p id="notice" data-offline="You are offline."></p>';
  const decoded = new Promise<void>((resolve) => {
    isDecoded = resolve;
  });
  const pictures = [...document.images];
  pictures.forEach((picture, index) => {
    Object.defineProperty(picture, 'complete', { value: index === 0 });
    picture.decode = () => (index === 0 ? decoded : new Promise<void>(() => undefined));
  });
});

const failFirst = () => document.querySelector('head script')?.dispatchEvent(new Event('error'));
const failLast = () => document.querySelector('head script:last-child')?.dispatchEvent(new Event('error'));

afterEach(() => {
  vi.useRealTimers();
  dispatchEvent(new Event('online')); // asks for what failed in this test
  dispatchEvent(new Event('hydrated')); // ends the script of this test
  document.head.replaceChildren();
  delete document.documentElement.dataset.touched;
});

test.each([
  ['a member', 'a.b.c', true],
  ['a visitor', '', false],
])('marks the document of %s at once', async (_, token, isMember) => {
  localStorage.setItem(TOKEN_KEY, token);
  delete document.documentElement.dataset.member;
  vi.resetModules();
  await import('./deferHydration');
  dispatchEvent(new Event('keydown')); // both scripts of this test are done
  expect('member' in document.documentElement.dataset).toBe(isMember);
});

test('loads the scripts in order after the pictures are painted', async () => {
  await wait();
  expect(loadedScripts()).toEqual([]);
  dispatchEvent(new Event('load'));
  await wait();
  expect(painted).toBeUndefined();
  isDecoded();
  await vi.advanceTimersByTimeAsync(100);
  painted?.('first-paint'); // only the background
  await vi.advanceTimersByTimeAsync(100);
  expect(loadedScripts()).toEqual([]);
  painted?.('first-contentful-paint');
  await vi.advanceTimersByTimeAsync(100);
  expect(loadedScripts()).toEqual(SCRIPTS);
  const isInOrder = [...document.querySelectorAll<HTMLScriptElement>('head script')].map(
    ({ async }) => !async,
  );
  expect(isInOrder).toEqual([true, true]);
});

test('loads them after a timeout when the browser reports no paint', async () => {
  dispatchEvent(new Event('load'));
  isDecoded();
  await wait();
  expect(loadedScripts()).toEqual([]);
  await wait();
  expect(loadedScripts()).toEqual(SCRIPTS);
});

test.each([...INTERACTIONS, 'click'])('%s loads them at once', (type) => {
  document.body.dispatchEvent(new Event(type, { bubbles: true }));
  expect(loadedScripts()).toEqual(SCRIPTS);
});

test('an interaction with the first part of a page loads them once the rest has arrived', () => {
  const readyState = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  dispatchEvent(new Event('keydown'));
  expect(loadedScripts()).toEqual([]);
  readyState.mockReturnValue('interactive');
  document.dispatchEvent(new Event('DOMContentLoaded', { bubbles: true }));
  expect(loadedScripts()).toEqual(SCRIPTS);
});

test.each(INTERACTIONS)('%s is recorded for later listeners', (type) => {
  const listener = vi.fn();
  onUserInteraction(listener)();
  expect(listener).not.toHaveBeenCalled();
  dispatchEvent(new Event(type));
  onUserInteraction(listener)();
  expect(listener).toHaveBeenCalledOnce();
});

test('loads them once', async () => {
  dispatchEvent(new Event('keydown'));
  dispatchEvent(new Event('scroll'));
  dispatchEvent(new Event('load'));
  isDecoded();
  await wait();
  painted?.('first-contentful-paint');
  await wait();
  expect(loadedScripts()).toEqual(SCRIPTS);
});

test('presses the last pressed button again after hydration, once', () => {
  const press = vi.fn();
  document.body.innerHTML = '<button id="other">Back</button><button id="menu"><b>Menu</b></button>';
  const [other, menu] = [...document.querySelectorAll('button')];
  other?.click();
  menu?.querySelector('b')?.click();
  document.addEventListener('click', press);
  dispatchEvent(new Event('hydrated'));
  dispatchEvent(new Event('hydrated'));
  expect(press.mock.calls.map(([event]) => (event as Event).target)).toEqual([menu]);
});

test.each(['type="submit"', 'popovertarget="menu"'])('does not press a button with %s again', (attribute) => {
  document.body.innerHTML = `<form><button ${attribute}>Join</button></form>`;
  const join = document.querySelector('button');
  const press = vi.fn((event: Event) => event.preventDefault());
  join?.addEventListener('click', press);
  join?.click();
  dispatchEvent(new Event('hydrated'));
  expect(press).toHaveBeenCalledOnce();
});

test('forgets a press when something else is clicked later', () => {
  document.body.innerHTML = '<button>Menu</button><p>Words</p>';
  const menu = document.querySelector('button');
  const press = vi.fn();
  menu?.click();
  document.querySelector('p')?.click();
  menu?.addEventListener('click', press);
  dispatchEvent(new Event('hydrated'));
  expect(press).not.toHaveBeenCalled();
});

describe('a link that is clicked', () => {
  const notice = () => document.getElementById('notice')?.textContent;
  const setOnline = (isOnline: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);

  /** Click a link and return whether the browser follows it. */
  function follows(attributes = 'href="/newsletter"', init?: MouseEventInit) {
    document.body.insertAdjacentHTML('beforeend', `<a ${attributes}><b>Link</b></a>`);
    // jsdom cannot navigate.
    let isFollowed = true;
    const read = (event: Event) => {
      isFollowed = !event.defaultPrevented;
      event.preventDefault();
    };
    addEventListener('click', read, { once: true });
    document
      .querySelector('a b')
      ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
    return isFollowed;
  }

  test.each<[string, string, MouseEventInit?]>([
    ['to another page', 'href="/newsletter"'],
    ['with Ctrl', 'href="/newsletter"', { ctrlKey: true }],
    ['to another tab', 'href="/newsletter" target="_blank"'],
  ])('offline %s keeps the page and says so', (_, attributes, init) => {
    setOnline(false);
    expect(follows(attributes, init)).toBe(false);
    expect(notice()).toBe('You are offline.');
  });

  test.each([
    ['to a part of the page', 'href="#services"'],
    ['to a mailbox', 'href="mailto:ahoy@sailing.example"'],
  ])('offline %s is left to the browser', (_, attributes) => {
    setOnline(false);
    expect(follows(attributes)).toBe(true);
    expect(notice()).toBe('');
  });

  test('online is left to the browser', () => {
    setOnline(true);
    expect(follows()).toBe(true);
  });

  test('after hydration is left to React', () => {
    setOnline(false);
    dispatchEvent(new Event('hydrated'));
    expect(follows()).toBe(true);
  });
});

describe('a script that cannot be loaded', () => {
  const visited = (type: string) =>
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type }] as PerformanceNavigationTiming[]);
  const reload = vi.fn();
  const fetchScript = vi.fn<typeof fetch>();

  beforeEach(() => {
    vi.stubGlobal('location', { reload });
    vi.stubGlobal('fetch', fetchScript);
    dispatchEvent(new Event('keydown'));
  });

  test.each([
    ['reloads the page', 'navigate', 1],
    ['does not reload a reloaded page', 'reload', 0],
  ])('because a deploy has removed it %s', async (_, type, times) => {
    visited(type);
    fetchScript.mockResolvedValue(new Response('', { status: 404 }));
    failFirst();
    await wait();
    expect(reload).toHaveBeenCalledTimes(times);
  });

  test.each<[string, string, () => Promise<Response>]>([
    ['the site starts again', 'navigate', () => Promise.resolve(new Response('', { status: 502 }))],
    ['the connection broke once', 'reload', () => Promise.resolve(new Response(''))],
    ['the server cannot be reached', 'navigate', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a deploy is under way', 'reload', () => Promise.resolve(new Response('', { status: 404 }))],
  ])(
    'because %s is asked for once more, and by a click or when the network is back',
    async (_, type, answer) => {
      visited(type);
      fetchScript.mockImplementation(answer);
      failFirst();
      dispatchEvent(new Event('load'));
      isDecoded();
      await vi.advanceTimersByTimeAsync(100);
      painted?.('first-contentful-paint');
      await vi.advanceTimersByTimeAsync(2800);
      expect(loadedScripts()).toEqual(SCRIPTS);
      await vi.advanceTimersByTimeAsync(100);
      expect(loadedScripts()).toEqual([...SCRIPTS, SCRIPTS[0]]);
      let count = 3;
      for (const event of ['click', 'online']) {
        failLast();
        await vi.advanceTimersByTimeAsync(60_000);
        expect(loadedScripts()).toHaveLength(count);
        for (let time = 0; time < 2; time += 1)
          document.body.dispatchEvent(new Event(event, { bubbles: true }));
        count += 1;
        expect(loadedScripts()).toHaveLength(count);
      }
      expect(reload).not.toHaveBeenCalled();
    },
  );
});
