import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { SIGNS_OF_LIFE } from './later/signsOfLife';

const SCRIPTS = ['/static/app/main.js', '/static/app/page.js'];

/** What the page has asked for, in order. */
const asked = () => [...document.querySelectorAll('head script')].map((script) => script.getAttribute('src'));

const wait = () => vi.advanceTimersByTimeAsync(1000);

let isDecoded: () => void;

/** Runs the script anew, on a page with a picture that has come and another that waits to be scrolled to. */
beforeEach(async () => {
  vi.useFakeTimers();
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
  await import('./begin');
});

afterEach(() => {
  vi.useRealTimers();
  document.head.replaceChildren();
});

test('the scripts are asked for once the page has loaded and its pictures are painted, in their order', async () => {
  await wait();
  expect(asked()).toEqual([]);
  dispatchEvent(new Event('load'));
  await wait();
  expect(asked()).toEqual([]);
  isDecoded();
  await wait();
  expect(asked()).toEqual(SCRIPTS);
  const isInOrder = [...document.querySelectorAll<HTMLScriptElement>('head script')].map(
    ({ async }) => !async,
  );
  expect(isInOrder).toEqual([true, true]);
});

test.each(SIGNS_OF_LIFE)('%s does not have to wait for that', (sign) => {
  dispatchEvent(new Event(sign));
  expect(asked()).toEqual(SCRIPTS);
});

test('they are asked for once', async () => {
  dispatchEvent(new Event('keydown'));
  dispatchEvent(new Event('scroll'));
  dispatchEvent(new Event('load'));
  isDecoded();
  await wait();
  expect(asked()).toEqual(SCRIPTS);
});
