/*
 * The page of a segment: the number of its readers, which may take seconds to count, comes after the page and follows the form.
 * Without this script, a link leads to the number of the saved segment.
 */
'use strict';

const PAUSE_MILLISECONDS = 400;

const count = document.getElementById('segment-count');
const form = count?.closest('form');
if (count && form) {
  follow(form, count);
}

/** @param {HTMLFormElement} form @param {HTMLElement} count */
function follow(form, count) {
  const { url = '', method, counting = '', failed = '' } = count.dataset;
  /** @type {number | undefined} */
  let timer;
  let running = new AbortController();

  async function update() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const request = method === 'post' ? { method, body: new FormData(form) } : {};
      const response = await fetch(url, { ...request, signal });
      if (!response.ok || response.redirected) {
        throw new Error(response.statusText);
      }
      count.innerHTML = await response.text();
    } catch {
      if (!signal.aborted) {
        count.textContent = failed;
      }
    }
  }

  form.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void update(), PAUSE_MILLISECONDS);
  });
  count.textContent = counting;
  void update();
}
