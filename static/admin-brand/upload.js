/*
 * Upload the chosen file in slices, so that it may be larger than the body of a request. A slice that fails is
 * sent again; the server ignores one that it has. Without this script the form sends a small file by itself.
 */
'use strict';

const SLICE_BYTES = 1024 * 1024;
const PAUSES_SECONDS = [1, 2, 4, 8, 15];

const form = /** @type {HTMLFormElement} */ (document.getElementById('upload'));
const input = /** @type {HTMLInputElement} */ (form.querySelector('input[type="file"]'));
const button = /** @type {HTMLInputElement} */ (form.querySelector('input[type="submit"]'));
const progress = /** @type {HTMLProgressElement} */ (form.querySelector('progress'));
const problem = /** @type {HTMLElement} */ (document.getElementById('upload-problem'));
const token = /** @type {HTMLInputElement} */ (form.elements.namedItem('csrfmiddlewaretoken')).value;

class Refused extends Error {}

/** @param {string} url @param {BodyInit} body */
function post(url, body) {
  return fetch(url, { method: 'POST', headers: { 'X-CSRFToken': token }, body });
}

/**
 * @param {File} file
 * @returns {Promise<{ slices: string, next: string }>} where its slices go, and the page after them
 */
async function announce(file) {
  const fields = new FormData();
  fields.append('name', file.name);
  fields.append('size', String(file.size));
  const response = await post(form.action, fields);
  const hasAnswer = response.status === 400 || (response.ok && !response.redirected);
  /** @type {{ slices: string, next: string, problem?: string } | undefined} */
  const answer = hasAnswer ? await response.json() : undefined;
  if (!answer || answer.problem || !response.ok) {
    throw new Refused(answer?.problem || form.dataset.failed);
  }
  return answer;
}

/** @param {string} url @param {Blob} slice */
async function sendSlice(url, slice) {
  for (const pause of [...PAUSES_SECONDS, 0]) {
    try {
      const response = await post(url, slice);
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

/** @param {File} file */
async function upload(file) {
  const { slices, next } = await announce(file);
  for (let start = 0, number = 0; start < file.size; start += SLICE_BYTES, number += 1) {
    await sendSlice(`${slices}${number}/`, file.slice(start, start + SLICE_BYTES));
    progress.value = Math.min(1, (start + SLICE_BYTES) / file.size);
  }
  window.location.assign(next);
}

/** @param {boolean} isUploading */
function show(isUploading) {
  progress.parentElement?.toggleAttribute('hidden', !isUploading);
  button.disabled = isUploading;
  input.disabled = isUploading;
}

/** Upload a file, and show what the server refuses. @param {File} file */
async function tryUpload(file) {
  problem.hidden = true;
  progress.value = 0;
  show(true);
  try {
    await upload(file);
  } catch (error) {
    problem.textContent = error instanceof Refused ? error.message : (form.dataset.failed ?? '');
    problem.hidden = false;
    show(false);
  }
}

form.addEventListener('submit', (event) => {
  // Without a file, the browser or the server says so.
  const [file] = input.files ?? [];
  if (file) {
    event.preventDefault();
    void tryUpload(file);
  }
});

// The browser may bring the page back as it was left, with the controls disabled.
window.addEventListener('pageshow', () => show(false));
