/*
 * Parts of a page that come from the server after the page. One with `data-url` is loaded once; with `data-follows`, the id
 * of a form, as that is filled in, except in what `data-ignores` selects; one with `data-poll`, until what it shows ends.
 * A listener of the event `fragment` may show a part itself; its detail is the HTML, or null if that did not come.
 */
'use strict';

const PAUSE_MILLISECONDS = 400;
const POLL_MILLISECONDS = 1500;

/** The pause is at least this many times as long as the last answer took, so that polling never keeps a server busy. */
const PAUSE_FACTOR = 10;

class SignedOut extends Error {}

/** @param {HTMLElement} part @param {string} url @param {RequestInit} [request] */
async function load(part, url, request) {
  const response = await fetch(url, request);
  if (response.redirected) throw new SignedOut();
  if (!response.ok) throw new Error(response.statusText);
  show(part, await response.text());
}

/** @param {HTMLElement} part @param {string | null} html */
function show(part, html) {
  if (!part.dispatchEvent(new CustomEvent('fragment', { detail: html, cancelable: true }))) return;
  if (html === null) part.textContent = part.dataset.failed ?? '–';
  else part.innerHTML = html;
}

/** @param {HTMLElement} part @param {HTMLFormElement} form */
function follow(part, form) {
  const { url = '', ignores = ':not(*)' } = part.dataset;
  /** @type {number | undefined} */
  let timer;
  let running = new AbortController();
  const update = () => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    load(part, url, { method: 'POST', body: new FormData(form), signal }).catch(() => {
      if (!signal.aborted) show(part, null);
    });
  };
  form.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.matches(ignores)) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(update, PAUSE_MILLISECONDS);
  });
  if (!part.querySelector(':scope > :not(noscript)')) {
    part.textContent = part.dataset.counting ?? '';
    update();
  }
}

// Loading the page again would cancel what a submitted form shows next.
let isLeaving = false;
window.addEventListener('submit', () => {
  isLeaving = true;
});

/** Return the state of what runs, which may be empty, or undefined after its end. @param {HTMLElement} part */
function getState(part) {
  return part.querySelector('[data-running]')?.getAttribute('data-running') ?? undefined;
}

/** Refresh a part until what it shows has ended or its state changed; then load the page again. @param {HTMLElement} part */
async function poll(part) {
  const state = getState(part);
  if (state === undefined) return;
  let pause = POLL_MILLISECONDS;
  while (getState(part) === state) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (document.hidden) continue;
    const start = performance.now();
    try {
      await load(part, part.dataset.poll ?? '');
    } catch (error) {
      if (error instanceof SignedOut) break;
    }
    pause = Math.max(POLL_MILLISECONDS, PAUSE_FACTOR * (performance.now() - start));
  }
  if (!isLeaving) window.location.reload();
}

for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-poll]')))
  void poll(part);

// Counting may take seconds: one after another.
for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-url]'))) {
  const form = document.getElementById(part.dataset.follows ?? '');
  if (form instanceof HTMLFormElement) follow(part, form);
  else await load(part, part.dataset.url ?? '').catch(() => show(part, null));
}
