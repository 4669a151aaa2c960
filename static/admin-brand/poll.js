/* Refresh the progress of a running job, and load the page again when it has ended. */
'use strict';

const INTERVAL_MILLISECONDS = 1500;

for (const part of document.querySelectorAll('[data-poll]')) {
  void poll(part);
}

async function poll(part) {
  while (part.querySelector('[data-running]')) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MILLISECONDS));
    if (document.hidden) {
      continue;
    }
    try {
      const response = await fetch(part.dataset.poll);
      if (response.redirected) {
        break; // signed out
      }
      if (response.ok) {
        part.innerHTML = await response.text();
      }
    } catch {
      // The network failed: try again.
    }
  }
  window.location.reload();
}
