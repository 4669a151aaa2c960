import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { cardAt, offsetOf, type Pin, placeAt, pinStretch, type Strip } from './pinnedStretch';

const COUNT = 6;

/** The stretch begins at this height of the page, and the strip is pinned for so many pixels. */
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
])('at %d pixels into the stretch the window is %s', (offset, place) => {
  expect(placeAt({ offset, length: LENGTH })).toBe(place);
});

test('each card has its place in the stretch, the first at its beginning, the last at its end', () => {
  expect([0, 1, 2, 3, 4, 5].map((index) => offsetOf(index, LENGTH, COUNT))).toEqual([
    0, 100, 200, 300, 400, 500,
  ]);
  expect(
    [-900, 0, 49, 51, 249, 500, 9000].map((offset) => cardAt({ offset, length: LENGTH }, COUNT)),
  ).toEqual([0, 0, 0, 1, 2, 5, 5]);
});

test('a stretch without a length shows its first card', () => {
  expect(cardAt({ offset: 30, length: 0 }, COUNT)).toBe(0);
});

describe('a pinned strip', () => {
  let pin: Pin | undefined;
  let element: HTMLElement;
  let stretch: Strip;
  let time = 0;

  /** Scrolls the page as the browser does. */
  function scrollBy(distance: number) {
    window.scrollTo({ top: window.scrollY + distance });
  }

  /** Lets time pass. */
  function wait(milliseconds: number) {
    time += milliseconds;
  }

  function dispatch<Kind extends Event>(target: EventTarget, event: Kind): Kind {
    Object.defineProperty(event, 'timeStamp', { value: time });
    target.dispatchEvent(event);
    return event;
  }

  /** Turns the wheel; the page scrolls by it unless that was prevented. */
  function turnWheel(
    deltaY: number,
    { target = document.body, ...init }: WheelEventInit & { target?: Element } = {},
  ) {
    const event = new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true, ...init });
    dispatch(target, event);
    if (!event.defaultPrevented && !event.ctrlKey) scrollBy(deltaY);
    return event;
  }

  function bringToLife(shown: number) {
    stretch = pinStretch(element, COUNT, shown, (next) => {
      pin = next;
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
    bringToLife(0);
  });

  afterEach(() => {
    stretch.end();
    document.body.replaceChildren();
  });

  /** Comes to the pin from above, and waits until the wheel may step. */
  function arrive() {
    scrollBy(TOP - window.scrollY);
    wait(1000);
  }

  test('is not pinned before its top has reached the top of the window', () => {
    expect(pin).toEqual({ place: 'before', index: 0 });
    expect(turnWheel(TOP - 2).defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'before', index: 0 });
  });

  test('stays at the card that showed already when it stands pinned as it comes to life', () => {
    stretch.end();
    scrollBy(TOP + 10);
    bringToLife(3);
    expect(pin).toEqual({ place: 'pinned', index: 3 });
    expect(window.scrollY).toBe(TOP + 300);
  });

  test('moves no page that is elsewhere when it comes to life', () => {
    stretch.end();
    bringToLife(3);
    expect(pin).toEqual({ place: 'before', index: 0 });
    expect(window.scrollY).toBe(0);
  });

  test('is pinned when its top has reached the top of the window', () => {
    turnWheel(TOP);
    expect(pin).toEqual({ place: 'pinned', index: 0 });
  });

  test('begins at the first card however far the wheel has run into the stretch', () => {
    turnWheel(TOP + 260);
    expect(pin).toEqual({ place: 'pinned', index: 0 });
    expect(window.scrollY).toBe(TOP);
  });

  test('is not run past by a fling of the wheel', () => {
    turnWheel(TOP + LENGTH + 3000);
    expect(pin).toEqual({ place: 'pinned', index: 0 });
  });

  test('steps one card for each movement of the wheel, and the page stands at that card', () => {
    arrive();
    for (const index of [1, 2, 3, 4, 5]) {
      expect(turnWheel(120).defaultPrevented).toBe(true);
      expect(pin).toEqual({ place: 'pinned', index });
      expect(window.scrollY).toBe(TOP + index * 100);
      wait(600);
    }
  });

  test('releases at the last card: the wheel scrolls the page on', () => {
    scrollBy(TOP + LENGTH);
    expect(pin).toEqual({ place: 'pinned', index: 5 });
    expect(turnWheel(120).defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'past', index: 5 });
    expect(window.scrollY).toBe(TOP + LENGTH + 120);
  });

  test('releases at the first card: the wheel scrolls the page back', () => {
    arrive();
    expect(turnWheel(-120).defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'before', index: 0 });
  });

  test('is pinned at the last card when the wheel comes back from below', () => {
    scrollBy(TOP + LENGTH + 200);
    turnWheel(-120);
    wait(50);
    turnWheel(-420);
    expect(pin).toEqual({ place: 'pinned', index: 5 });
    expect(window.scrollY).toBe(TOP + LENGTH);
    wait(600);
    turnWheel(-120);
    expect(pin).toEqual({ place: 'pinned', index: 4 });
  });

  test('holds its card when the browser goes on with a movement that cannot be stopped any more', () => {
    arrive();
    turnWheel(120);
    wait(50);
    const event = turnWheel(170, { cancelable: false });
    expect(event.defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'pinned', index: 1 });
    expect(window.scrollY).toBe(TOP + 100);
  });

  test('lets the page go on when such a movement leaves by the end that it stands at', () => {
    scrollBy(TOP + 400);
    wait(1000);
    turnWheel(120);
    wait(50);
    turnWheel(170, { cancelable: false });
    expect(pin).toEqual({ place: 'past', index: 5 });
    expect(window.scrollY).toBe(TOP + LENGTH + 170);
  });

  test('leaves the wheel to the zoom while Ctrl is held', () => {
    arrive();
    expect(turnWheel(120, { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'pinned', index: 0 });
  });

  test('leaves the wheel to an open menu', () => {
    arrive();
    const menu = document.body.appendChild(document.createElement('dialog'));
    expect(turnWheel(1, { target: menu }).defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'pinned', index: 0 });
  });

  test('steps for a wheel that is turned sideways', () => {
    arrive();
    turnWheel(0, { deltaX: 120 });
    expect(pin).toEqual({ place: 'pinned', index: 1 });
  });

  test('follows keys, the scroll bar and whatever else scrolls the page', () => {
    scrollBy(TOP + 190);
    expect(pin).toEqual({ place: 'pinned', index: 2 });
    scrollBy(LENGTH);
    expect(pin).toEqual({ place: 'past', index: 5 });
    scrollBy(-TOP);
    expect(pin).toEqual({ place: 'before', index: 0 });
  });

  test.each(['keydown', 'pointerdown'])(
    'follows at once after a %s, though the wheel has just been turned',
    (kind) => {
      arrive();
      turnWheel(120);
      dispatch(document.body, new Event(kind, { bubbles: true }));
      scrollBy(200);
      expect(pin).toEqual({ place: 'pinned', index: 3 });
    },
  );

  test('shows a card that is asked for, and the page stands there', () => {
    arrive();
    stretch.show(4);
    expect(pin).toEqual({ place: 'pinned', index: 4 });
    expect(window.scrollY).toBe(TOP + 400);
  });

  test('comes into the window for a card that is asked for', () => {
    const scrollTo = vi.spyOn(window, 'scrollTo');
    stretch.show(3);
    expect(scrollTo).toHaveBeenCalledExactlyOnceWith({ top: TOP + 300, behavior: 'smooth' });
    expect(pin).toEqual({ place: 'pinned', index: 3 });
  });

  test('stays at its card when the window changes its size', () => {
    arrive();
    stretch.show(2);
    const element = document.querySelector('section');
    if (element) {
      element.getBoundingClientRect = () => ({ top: TOP - window.scrollY, height: 1000 + WINDOW }) as DOMRect;
    }
    dispatch(window, new Event('resize'));
    expect(window.scrollY).toBe(TOP + 400);
    expect(pin).toEqual({ place: 'pinned', index: 2 });
  });

  test('may hold the wheel only while it is pinned', () => {
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

  test('leaves the page alone when it has ended', () => {
    arrive();
    stretch.end();
    expect(turnWheel(120).defaultPrevented).toBe(false);
    expect(pin).toEqual({ place: 'pinned', index: 0 });
  });
});
