/**
 * Delay the scripts of a prerendered page, which `data-scripts` of this script's element lists, until the document is
 * parsed, and the first screen is painted or the visitor interacts. Loaded at once, they would compete with the page's
 * pictures (docs/decisions).
 *
 * A button that is pressed before React has taken over is pressed again then. Until then, a link that is clicked offline
 * keeps the page and says so, and Back and Forward reload, because the HTML belongs to the page that is being left.
 *
 * It is the only script that runs before the first paint, so it also marks the document of a member.
 */
import { INTERACTIONS, markUserInteraction } from '../lib/userInteraction';
import { createTokenStorage, markDocument } from '../session/token';

markDocument(createTokenStorage().read());

/** A browser may report no paint, for example in a background tab. */
const PAINT_TIMEOUT_MS = 1000;

const RETRY_MS = 3000;

const { scripts = '' } = (document.currentScript as HTMLScriptElement).dataset;
const addresses = scripts.split(' ');
const failed: string[] = [];
let pressed: HTMLElement | null;

function loadScripts() {
  // The scripts need the whole document. A visitor may interact before all of it has arrived.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', loadScripts, { once: true });
  else addresses.splice(0).forEach((src) => loadScript(src));
}

function loadFailedScripts() {
  failed.splice(0).forEach((src) => loadScript(src, true));
}

/** Load a script. If it fails, try once more, and after that with each click and when the network is back. */
function loadScript(src: string, isRetry?: boolean) {
  const loadLater = () => (isRetry ? failed.push(src) : setTimeout(loadScript, RETRY_MS, src, true));
  const onerror = () =>
    void fetch(src).then(({ status }) => {
      // The page may be older than the last deploy, which removed its scripts. Otherwise a reload would only lose the page.
      if (status === 404 && !isReloaded()) location.reload();
      else loadLater();
    }, loadLater);
  document.head.append(Object.assign(document.createElement('script'), { src, async: false, onerror }));
}

function isReloaded(): boolean {
  const [visit] = performance.getEntriesByType('navigation');
  return (visit as PerformanceNavigationTiming).type === 'reload';
}

function onInteraction() {
  markUserInteraction();
  loadScripts();
}

for (const type of INTERACTIONS) addEventListener(type, onInteraction, { once: true });

function onClick(event: MouseEvent) {
  const target = event.target as Element;
  pressed = target.closest('button:not([type=submit], [popovertarget])'); // the browser submits forms and opens menus itself
  loadScripts(); // assistive technology may click without another event
  loadFailedScripts();
  const link = target.closest('a');
  if (navigator.onLine || !link || !opensDocument(link)) return;
  event.preventDefault(); // the browser would show its own error page
  showNotice('offline');
}

/** Return whether a link opens a web page: another one or this one again, but not a part of this one. */
function opensDocument({ protocol, href }: HTMLAnchorElement): boolean {
  return protocol.startsWith('http') && !href.startsWith(`${location.href.split('#')[0]}#`);
}

/** Show a text that templates/index.html has for this script, which runs before the element exists; none without a name. */
function showNotice(text = '') {
  const notice = document.getElementById('notice');
  if (notice) notice.textContent = notice.dataset[text] ?? '';
}

addEventListener('online', () => {
  showNotice();
  loadFailedScripts();
});
addEventListener('click', onClick);

const { pathname } = location;
function reloadOtherPage() {
  if (location.pathname !== pathname) location.reload();
}
addEventListener('popstate', reloadOtherPage);

addEventListener(
  'hydrated',
  () => {
    removeEventListener('popstate', reloadOtherPage);
    removeEventListener('click', onClick);
    pressed?.click();
  },
  { once: true },
);

addEventListener('load', () => {
  // Loaded pictures are painted after they are decoded. Lazy pictures further down are not waited for.
  const decoded = Array.from(document.images, async (image) => image.complete && image.decode());
  void Promise.allSettled(decoded).then(loadScriptsAfterPaint);
});

function loadScriptsAfterPaint() {
  setTimeout(loadScripts, PAINT_TIMEOUT_MS);
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length)
      requestAnimationFrame(() => setTimeout(loadScripts));
  });
  observer.observe({ type: 'paint', buffered: true });
}
