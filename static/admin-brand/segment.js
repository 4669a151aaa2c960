/*
 * The numbers of readers of segments, which may take seconds to count, come after the page: in the list one after another, and
 * on the page of a segment as the form is filled in.
 */
'use strict';

const PAUSE_MILLISECONDS = 400;

const live = /** @type {HTMLElement | null} */ (document.querySelector('[data-follows-form]'));
const form = live?.closest('form');
if (live && form) {
  follow(live, form);
} else {
  void loadAll();
}

async function loadAll() {
  for (const count of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.reader-count'))) {
    await load(count);
  }
}

/** @param {HTMLElement} count @param {HTMLFormElement} form */
function follow(count, form) {
  /** @type {number | undefined} */
  let timer;
  let running = new AbortController();
  const update = () => {
    running.abort();
    running = new AbortController();
    void load(count, { method: 'post', body: new FormData(form), signal: running.signal });
  };
  form.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(update, PAUSE_MILLISECONDS);
  });
  update();
}

/** @param {HTMLElement} count @param {RequestInit} [request] */
async function load(count, request) {
  const { url = '', counting = '…', failed = '–' } = count.dataset;
  if (!count.querySelector('strong')) count.textContent = counting;
  try {
    const response = await fetch(url, request);
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    count.innerHTML = await response.text();
  } catch {
    if (!request?.signal?.aborted) count.textContent = failed;
  }
}
