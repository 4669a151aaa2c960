import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { onSignOfLife, SIGNS_OF_LIFE } from './lazy/signsOfLife';

const SCRIPTS = ['/static/app/main.js', '/static/app/page.js'];

/** What the page has asked for, in order. */
const asked = () => [...document.querySelectorAll('head script')].map((script) => script.getAttribute('src'));

const wait = () => vi.advanceTimersByTimeAsync(900);

let isDecoded: () => void;

/** Tells of a paint, as a browser does; undefined while nobody waits for one. */
let painted: ((name: string) => void) | undefined;

/** Runs the script anew, on a page with a picture that has come and another that waits to be scrolled to. */
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
        // The first paint has mostly been by then.
        if (what.type === 'paint' && what.buffered) painted = tellOfPaints;
      }
    },
  );
  document.body.innerHTML = '<img id="hero"><img id="below">';
  const decoded = new Promise<void>((resolve) => {
    isDecoded = resolve;
  });
  const pictures = [...document.images];
  pictures.forEach((picture, index) => {
    Object.defineProperty(picture, 'complete', { value: index === 0 });
    picture.decode = () => (index === 0 ? decoded : new Promise<void>(() => undefined));
  });
  const script = document.createElement('script');
  script.dataset.scripts = SCRIPTS.join(' ');
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  vi.resetModules();
  await import('./deferHydration');
});

const failFirst = () => document.querySelector('head script')?.dispatchEvent(new Event('error'));

afterEach(() => {
  vi.useRealTimers();
  dispatchEvent(new Event('alive')); // the end of its work, also that of the script that this test ran
  document.head.replaceChildren();
  delete document.documentElement.dataset.touched;
});

test('the scripts are asked for once the page has loaded and its pictures are painted, in their order', async () => {
  await wait();
  expect(asked()).toEqual([]);
  dispatchEvent(new Event('load'));
  await wait();
  expect(painted).toBeUndefined();
  isDecoded();
  await vi.advanceTimersByTimeAsync(100);
  painted?.('first-paint'); // the colour of the page, and nothing on it
  await vi.advanceTimersByTimeAsync(100);
  expect(asked()).toEqual([]);
  painted?.('first-contentful-paint');
  await vi.advanceTimersByTimeAsync(100);
  expect(asked()).toEqual(SCRIPTS);
  const isInOrder = [...document.querySelectorAll<HTMLScriptElement>('head script')].map(
    ({ async }) => !async,
  );
  expect(isInOrder).toEqual([true, true]);
});

test('a browser that does not tell when it paints asks for them a moment later', async () => {
  dispatchEvent(new Event('load'));
  isDecoded();
  await wait();
  expect(asked()).toEqual([]);
  await wait();
  expect(asked()).toEqual(SCRIPTS);
});

test.each([...SIGNS_OF_LIFE, 'click'])('%s does not have to wait for that', (sign) => {
  document.body.dispatchEvent(new Event(sign, { bubbles: true }));
  expect(asked()).toEqual(SCRIPTS);
});

test.each(SIGNS_OF_LIFE)('%s is told of to who asks when the page is alive', (sign) => {
  const tell = vi.fn();
  onSignOfLife(tell)();
  expect(tell).not.toHaveBeenCalled();
  dispatchEvent(new Event(sign));
  onSignOfLife(tell)();
  expect(tell).toHaveBeenCalledOnce();
});

test('they are asked for once', async () => {
  dispatchEvent(new Event('keydown'));
  dispatchEvent(new Event('scroll'));
  dispatchEvent(new Event('load'));
  isDecoded();
  await wait();
  painted?.('first-contentful-paint');
  await wait();
  expect(asked()).toEqual(SCRIPTS);
});

test('where nobody looks, nothing is painted that they could wait for', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  vi.stubGlobal('requestAnimationFrame', () => undefined);
  dispatchEvent(new Event('load'));
  isDecoded();
  await wait();
  expect(asked()).toEqual(SCRIPTS);
});

test('the last button that was pressed before acts when the page is alive, once', () => {
  const press = vi.fn();
  document.body.innerHTML = '<button id="other">Back</button><button id="menu"><b>Menu</b></button>';
  const [other, menu] = [...document.querySelectorAll('button')];
  other?.click();
  menu?.querySelector('b')?.click();
  document.addEventListener('click', press);
  dispatchEvent(new Event('alive'));
  dispatchEvent(new Event('alive'));
  expect(press.mock.calls.map(([event]) => (event as Event).target)).toEqual([menu]);
});

test('a button that sends a form, which the browser has done by then, does not send it again', () => {
  document.body.innerHTML = '<form><button type="submit">Join</button></form>';
  const join = document.querySelector('button');
  const press = vi.fn((event: Event) => event.preventDefault());
  join?.addEventListener('click', press);
  join?.click();
  dispatchEvent(new Event('alive'));
  expect(press).toHaveBeenCalledOnce();
});

test('what was pressed elsewhere last is nothing to act on', () => {
  document.body.innerHTML = '<button>Menu</button><p>Words</p>';
  const menu = document.querySelector('button');
  const press = vi.fn();
  menu?.click();
  document.querySelector('p')?.click();
  menu?.addEventListener('click', press);
  dispatchEvent(new Event('alive'));
  expect(press).not.toHaveBeenCalled();
});

describe('a script that a deploy has taken away', () => {
  const visited = (type: string) =>
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type }] as PerformanceNavigationTiming[]);
  const reload = vi.fn();

  beforeEach(() => {
    vi.stubGlobal('location', { reload });
    dispatchEvent(new Event('keydown'));
  });

  test('loads the page anew', () => {
    visited('navigate');
    failFirst();
    expect(reload).toHaveBeenCalledOnce();
  });

  test('not again and again', () => {
    visited('reload');
    failFirst();
    expect(reload).not.toHaveBeenCalled();
  });

  test('nor without a connection, for the page would be gone', () => {
    visited('navigate');
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    failFirst();
    expect(reload).not.toHaveBeenCalled();
  });
});
