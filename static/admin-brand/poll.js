/* Refresh the progress of a running job or campaign, and load the page again when it has ended or its state changed. */
'use strict';

const INTERVAL_MILLISECONDS = 1500;

/** The pause is at least this many times as long as the last answer took, so that polling never keeps a server busy. */
const PAUSE_FACTOR = 10;

// Loading the page again would cancel what a submitted form shows next.
let isLeaving = false;
window.addEventListener('submit', () => {
  isLeaving = true;
});

/** @type {NodeListOf<HTMLElement>} */
const parts = document.querySelectorAll('[data-poll]');
for (const part of parts) {
  void poll(part);
}

/** Return the state of what runs, which may be empty, or undefined after its end. @param {HTMLElement} part */
function getState(part) {
  return part.querySelector('[data-running]')?.getAttribute('data-running') ?? undefined;
}

/** @param {HTMLElement} part */
async function poll(part) {
  const state = getState(part);
  let pause = INTERVAL_MILLISECONDS;
  while (state !== undefined && getState(part) === state) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (document.hidden) {
      continue;
    }
    const start = performance.now();
    try {
      const response = await fetch(part.dataset.poll ?? '');
      if (response.redirected) {
        break; // signed out
      }
      if (response.ok) {
        part.innerHTML = await response.text();
      }
    } catch {
      // The network failed: try again.
    }
    pause = Math.max(INTERVAL_MILLISECONDS, PAUSE_FACTOR * (performance.now() - start));
  }
  if (!isLeaving) {
    window.location.reload();
  }
}
