/*
 * Upload the chosen file in slices, so that it may be larger than the body of a request. A slice that fails is
 * sent again; the server ignores one that it has. Without this script the form sends a small file by itself.
 */
'use strict';

const SLICE_BYTES = 1024 * 1024;
const PAUSES_SECONDS = [1, 2, 4, 8, 15];

const form = document.getElementById('upload');
const input = form.querySelector('input[type="file"]');
const button = form.querySelector('input[type="submit"]');
const progress = form.querySelector('progress');
const problem = document.getElementById('upload-problem');
const token = form.elements.csrfmiddlewaretoken.value;

class Refused extends Error {}

function post(url, body) {
  return fetch(url, { method: 'POST', headers: { 'X-CSRFToken': token }, body });
}

async function announce(file) {
  const fields = new FormData();
  fields.append('name', file.name);
  fields.append('size', String(file.size));
  const response = await post(form.action, fields);
  if (response.ok && !response.redirected) {
    return response.json();
  }
  const answer = response.status === 400 ? await response.json() : {};
  throw new Refused(answer.problem || form.dataset.failed);
}

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

async function upload(file) {
  const { slices, next } = await announce(file);
  for (let start = 0, number = 0; start < file.size; start += SLICE_BYTES, number += 1) {
    await sendSlice(`${slices}${number}/`, file.slice(start, start + SLICE_BYTES));
    progress.value = Math.min(1, (start + SLICE_BYTES) / file.size);
  }
  window.location.assign(next);
}

function show(isUploading) {
  progress.parentElement.hidden = !isUploading;
  button.disabled = isUploading;
  input.disabled = isUploading;
}

form.addEventListener('submit', async (event) => {
  const [file] = input.files;
  if (!file) {
    return; // the browser or the server says so
  }
  event.preventDefault();
  problem.hidden = true;
  progress.value = 0;
  show(true);
  try {
    await upload(file);
  } catch (error) {
    problem.textContent = error instanceof Refused ? error.message : form.dataset.failed;
    problem.hidden = false;
    show(false);
  }
});

// The browser may bring the page back as it was left, with the controls disabled.
window.addEventListener('pageshow', () => show(false));
