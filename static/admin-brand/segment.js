/*
 * The page of a segment: the number of its readers follows the form. Without this script, saving updates it.
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
  /** @type {number | undefined} */
  let timer;
  let running = new AbortController();

  async function update() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const body = new FormData(form);
      const response = await fetch(count.dataset.url ?? '', { method: 'POST', body, signal });
      if (!response.ok || response.redirected) {
        throw new Error(response.statusText);
      }
      count.innerHTML = await response.text();
    } catch {
      if (!signal.aborted) {
        count.textContent = count.dataset.failed ?? '';
      }
    }
  }

  form.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void update(), PAUSE_MILLISECONDS);
  });
}
