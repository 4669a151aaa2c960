import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  findCard,
  getOffset,
  type StripState,
  getPhase,
  pinStrip,
  type StripController,
} from './pinnedStrip';

const COUNT = 6;

/** The offset of the section in the page and the scroll length of its pinned part. */
const TOP = 1000;
const LENGTH = 500;
const WINDOW = 800;

test.each([
  [-2, 'before'],
  [-0.4, 'pinned'],
  [0, 'pinned'],
  [LENGTH, 'pinned'],
  [LENGTH + 0.4, 'pinned'],
  [LENGTH + 2, 'past'],
])('at %d pixels into the section the window is %s', (offset, phase) => {
  expect(getPhase({ offset, length: LENGTH })).toBe(phase);
});

test('cards are spread evenly over the section', () => {
  expect([0, 1, 2, 3, 4, 5].map((index) => getOffset(index, LENGTH, COUNT))).toEqual([
    0, 100, 200, 300, 400, 500,
  ]);
  expect(
    [-900, 0, 49, 51, 249, 500, 9000].map((offset) => findCard({ offset, length: LENGTH }, COUNT)),
  ).toEqual([0, 0, 0, 1, 2, 5, 5]);
});

test('a section without length shows its first card', () => {
  expect(findCard({ offset: 30, length: 0 }, COUNT)).toBe(0);
});

describe('a pinned strip', () => {
  let state: StripState | undefined;
  let element: HTMLElement;
  let section: StripController;
  let time = 0;

  function scrollBy(distance: number) {
    window.scrollTo({ top: window.scrollY + distance });
  }

  function wait(milliseconds: number) {
    time += milliseconds;
  }

  function dispatch<Kind extends Event>(target: EventTarget, event: Kind): Kind {
    Object.defineProperty(event, 'timeStamp', { value: time });
    target.dispatchEvent(event);
    return event;
  }

  /** Turn the wheel and scroll the page unless the event was cancelled. */
  function turnWheel(
    deltaY: number,
    { target = document.body, ...init }: WheelEventInit & { target?: Element } = {},
  ) {
    const event = new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true, ...init });
    dispatch(target, event);
    if (!event.defaultPrevented && !event.ctrlKey) scrollBy(deltaY);
    return event;
  }

  function pinElement(shown: number) {
    section = pinStrip(element, COUNT, shown, (next) => {
      state = next;
    });
  }

  beforeEach(() => {
    time = 10_000;
    window.scrollTo = (options?: ScrollToOptions | number) => {
      if (typeof options !== 'object') throw new Error('Called with numbers');
      Object.defineProperty(window, 'scrollY', { configurable: true, value: options.top });
      dispatch(window, new Event('scroll'));
    };
    window.scrollTo({ top: 0 });

    element = document.body.appendChild(document.createElement('section'));
    const strip = element.appendChild(document.createElement('div'));
    const box = (top: number, height: number) => ({ top, height }) as DOMRect;
    element.getBoundingClientRect = () => box(TOP - window.scrollY, LENGTH + WINDOW);
    strip.getBoundingClientRect = () => box(0, WINDOW);
    pinElement(0);
  });

  afterEach(() => {
    section.end();
    document.body.replaceChildren();
  });

  /** Scroll to the strip from above and wait for the lock to end. */
  function arrive() {
    scrollBy(TOP - window.scrollY);
    wait(1000);
  }

  test('keeps the given card when it is already pinned', () => {
    section.end();
    scrollBy(TOP + 10);
    pinElement(3);
    expect(state).toEqual({ phase: 'pinned', index: 3 });
    expect(window.scrollY).toBe(TOP + 300);
  });

  test('releases at the first card', () => {
    arrive();
    expect(turnWheel(-120).defaultPrevented).toBe(false);
    expect(state).toEqual({ phase: 'before', index: 0 });
  });

  test('restores its card when a wheel event cannot be cancelled', () => {
    arrive();
    turnWheel(120);
    wait(50);
    const event = turnWheel(170, { cancelable: false });
    expect(event.defaultPrevented).toBe(false);
    expect(state).toEqual({ phase: 'pinned', index: 1 });
    expect(window.scrollY).toBe(TOP + 100);
  });

  test('lets an event that cannot be cancelled leave at the end', () => {
    scrollBy(TOP + 400);
    wait(1000);
    turnWheel(120);
    wait(50);
    turnWheel(170, { cancelable: false });
    expect(state).toEqual({ phase: 'past', index: 5 });
    expect(window.scrollY).toBe(TOP + LENGTH + 170);
  });

  test('ignores the wheel over an open menu', () => {
    arrive();
    const menu = document.body.appendChild(document.createElement('dialog'));
    expect(turnWheel(1, { target: menu }).defaultPrevented).toBe(false);
    expect(state).toEqual({ phase: 'pinned', index: 0 });
  });

  test.each(['keydown', 'pointerdown'])(
    'follows scrolling at once after %s, even just after a wheel event',
    (kind) => {
      arrive();
      turnWheel(120);
      dispatch(document.body, new Event(kind, { bubbles: true }));
      scrollBy(200);
      expect(state).toEqual({ phase: 'pinned', index: 3 });
    },
  );

  test('keeps its card when the window is resized', () => {
    arrive();
    section.show(2);
    const element = document.querySelector('section');
    if (element) {
      element.getBoundingClientRect = () => ({ top: TOP - window.scrollY, height: 1000 + WINDOW }) as DOMRect;
    }
    dispatch(window, new Event('resize'));
    expect(window.scrollY).toBe(TOP + 400);
    expect(state).toEqual({ phase: 'pinned', index: 2 });
  });

  test('listens actively to the wheel only while it is pinned', () => {
    const listen = vi.spyOn(window, 'addEventListener');
    const passivity = () =>
      listen.mock.calls
        .filter(([kind]) => kind === 'wheel')
        .map(([, , options]) => (options as { passive: boolean }).passive);
    arrive();
    expect(passivity()).toEqual([false]);
    scrollBy(LENGTH + 300);
    expect(passivity()).toEqual([false, true]);
  });

  test('does nothing after it has ended', () => {
    arrive();
    section.end();
    expect(turnWheel(120).defaultPrevented).toBe(false);
    expect(state).toEqual({ phase: 'pinned', index: 0 });
  });
});
