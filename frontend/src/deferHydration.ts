/**
 * Brings a page that was rendered at build time to life: asks for its scripts, which `data-scripts` of the script element
 * names, once what the page shows at first has been painted, or at the first sign of a visitor. Asked for at once, they
 * would come in between the page's pictures. A button that is pressed before React takes over acts then.
 */
import { noteSignOfLife, SIGNS_OF_LIFE } from './lazy/signsOfLife';

/** Milliseconds for which a paint is waited for: a browser may tell of none, or nobody look any more. */
const LONGEST_PAINT = 1000;

const { scripts = '' } = (document.currentScript as HTMLScriptElement).dataset;
const addresses = scripts.split(' ');
let pressed: HTMLElement | null;

function begin() {
  for (const src of addresses.splice(0)) {
    document.head.append(
      Object.assign(document.createElement('script'), { src, async: false, onerror: renew }),
    );
  }
}

function touch() {
  noteSignOfLife();
  begin();
}

/** A page may be older than the last deploy, which took its scripts away. */
function renew() {
  const [visit] = performance.getEntriesByType('navigation');
  if (navigator.onLine && (visit as PerformanceNavigationTiming).type !== 'reload') location.reload();
}

for (const sign of SIGNS_OF_LIFE) addEventListener(sign, touch, { once: true });

addEventListener('click', ({ target }) => {
  pressed = (target as Element).closest('button:not([type=submit])'); // the browser sends a form itself
  begin(); // pressed by a program, maybe: without a sign before
});
addEventListener('alive', () => pressed?.click(), { once: true });

addEventListener('load', () => {
  // A picture that has come is painted once it is decoded; one that waits to be scrolled to has not. Nothing is painted
  // where nobody looks.
  const decoded = Array.from(document.images, async (image) => image.complete && image.decode());
  void Promise.allSettled(decoded).then(() => {
    if (document.hidden) begin();
    else afterPaint(begin);
  });
});

/** Calls what waits until something has come to the screen, which may be some frames after it was drawn. */
function afterPaint(call: () => void) {
  setTimeout(call, LONGEST_PAINT);
  const paints = new PerformanceObserver((seen) => {
    if (seen.getEntriesByName('first-contentful-paint').length) requestAnimationFrame(() => setTimeout(call));
  });
  paints.observe({ type: 'paint', buffered: true });
}
