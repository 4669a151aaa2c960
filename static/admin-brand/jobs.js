/** Updates the progress of a job every second, and loads the page again when the job has ended. */

const INTERVAL_MS = 1000;

async function update() {
  const progress = document.querySelector('.job-progress[data-url]');
  if (!progress) return;
  try {
    const response = await fetch(progress.dataset.url);
    if (response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const next = page.querySelector('.job-progress');
      if (next && !next.dataset.url) {
        location.reload();
        return;
      }
      if (next) progress.replaceWith(next);
    }
  } catch {
    // Offline, or the server restarts: try again.
  }
  setTimeout(update, INTERVAL_MS);
}

setTimeout(update, INTERVAL_MS);
