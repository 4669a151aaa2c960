/*
 * Upload the file of a form `data-slices` in slices, so that it may be larger than the body of a request. A slice
 * that fails is sent again; the server ignores one that it has. Without this script the form has a small file.
 */
'use strict';

const SLICE_BYTES = 1024 * 1024;
const PAUSES_SECONDS = [1, 2, 4, 8, 15];

class Refused extends Error {}

/** @param {HTMLFormElement} form @param {string} url @param {BodyInit} body */
function post(form, url, body) {
  const token = /** @type {HTMLInputElement} */ (form.elements.namedItem('csrfmiddlewaretoken'));
  return fetch(url, { method: 'POST', headers: { 'X-CSRFToken': token.value }, body });
}

/**
 * Return the address of the page that follows the upload; the slices go to addresses below it.
 * @param {HTMLFormElement} form @param {File} file
 */
async function announce(form, file) {
  const fields = new FormData();
  fields.append('name', file.name);
  fields.append('size', String(file.size));
  const response = await post(form, form.action, fields);
  const isAnswer = response.headers.get('Content-Type') === 'application/json';
  /** @type {{ next?: string, problem?: string }} */
  const answer = isAnswer ? await response.json() : {};
  if (!answer.next) {
    throw new Refused(answer.problem || form.dataset.failed);
  }
  return answer.next;
}

/** @param {HTMLFormElement} form @param {string} url @param {Blob} slice */
async function sendSlice(form, url, slice) {
  for (const pause of [...PAUSES_SECONDS, 0]) {
    try {
      const response = await post(form, url, slice);
      if (response.status === 204) {
        return;
      }
      if (response.status < 500 && response.status !== 429) {
        break;
      }
    } catch {
      // The network failed, or the file has changed on the disk.
    }
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
  }
  throw new Refused(form.dataset.failed);
}

/** @param {HTMLFormElement} form @param {File} file */
async function upload(form, file) {
  const next = await announce(form, file);
  const progress = /** @type {HTMLProgressElement} */ (form.querySelector('progress'));
  for (let start = 0, index = 0; start < file.size; start += SLICE_BYTES, index += 1) {
    await sendSlice(form, `${next}slices/${index}/`, file.slice(start, start + SLICE_BYTES));
    progress.value = Math.min(1, (start + SLICE_BYTES) / file.size);
  }
  window.location.assign(next);
}

/** @param {HTMLFormElement} form @param {boolean} isUploading */
function show(form, isUploading) {
  form.querySelector('.file-upload')?.toggleAttribute('hidden', !isUploading);
  for (const control of form.querySelectorAll('[type="file"], [type="submit"]')) {
    control.toggleAttribute('disabled', isUploading);
  }
}

/** Upload a file, and show what the server refuses. @param {HTMLFormElement} form @param {File} file */
async function tryUpload(form, file) {
  const problem = /** @type {HTMLElement} */ (form.querySelector('[data-problem]'));
  problem.hidden = true;
  /** @type {HTMLProgressElement} */ (form.querySelector('progress')).value = 0;
  show(form, true);
  try {
    await upload(form, file);
  } catch (error) {
    problem.textContent = error instanceof Refused ? error.message : (form.dataset.failed ?? '');
    problem.hidden = false;
    show(form, false);
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form instanceof HTMLFormElement && form.matches('[data-slices]')) {
    // Without a file, the browser or the server says so.
    const file = /** @type {HTMLInputElement} */ (form.elements.namedItem('file')).files?.[0];
    if (file) {
      event.preventDefault();
      void tryUpload(form, file);
    }
  }
});

// The browser may bring the page back as it was left, with the controls disabled.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-slices]')) {
    show(/** @type {HTMLFormElement} */ (form), false);
  }
});
