/*
 * The dialog of the editor in which a picture is chosen. The editor inserts its Markdown (the event `snippet`).
 * A file is uploaded by upload.js, which submits the form again when the file has arrived.
 */
'use strict';

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('picture-dialog'));
const choices = /** @type {HTMLElement} */ (dialog.querySelector('.picture-choices'));
const problem = /** @type {HTMLElement} */ (dialog.querySelector('.errornote'));

/** The field that the picture goes into. @type {HTMLTextAreaElement | undefined} */
let area;

/** @typedef {{ alt: Record<string, string>, after: string }} Markdown */

for (const opener of document.querySelectorAll('[data-pictures]')) {
  opener.addEventListener('click', () => {
    const toolbar = /** @type {HTMLElement} */ (opener.closest('.toolbar'));
    area = /** @type {HTMLTextAreaElement} */ (document.getElementById(toolbar.dataset.target ?? ''));
    dialog.showModal();
    void tryTo(load);
  });
}

async function load() {
  const response = await fetch(dialog.dataset.picker ?? '');
  if (!response.ok || response.redirected) {
    throw new Error(response.statusText);
  }
  choices.innerHTML = await response.text();
}

/**
 * Do something once, and say so if it fails.
 *
 * @param {() => Promise<void>} action
 * @param {Element | null} [button] what it was asked for with
 */
async function tryTo(action, button) {
  problem.hidden = true;
  button?.toggleAttribute('disabled', true);
  try {
    await action();
  } catch {
    problem.textContent = dialog.dataset.failed ?? '';
    problem.hidden = false;
    dialog.scrollTo(0, 0);
  }
  button?.toggleAttribute('disabled', false);
}

/**
 * Insert a picture after what is selected. Without an alt text, the caret comes where it is missing.
 *
 * @param {string} alt
 * @param {string} after
 */
function insert(alt, after) {
  insertSnippet(alt ? { before: `![${alt}${after}` } : { before: '![', after });
}

/** @param {{ before: string, sample?: string, after?: string | undefined }} snippet */
function insertSnippet(snippet) {
  dialog.close();
  area?.setSelectionRange(area.selectionEnd, area.selectionEnd);
  area?.dispatchEvent(new CustomEvent('snippet', { detail: { block: '', ...snippet } }));
}

/**
 * Post something and insert the picture of the answer. Return why it is refused.
 *
 * @param {string} url
 * @param {FormData} body
 * @returns {Promise<string>}
 */
async function add(url, body) {
  const response = await fetch(url, { method: 'POST', body, headers: { Accept: 'application/json' } });
  if (response.redirected || (!response.ok && response.status !== 400)) {
    throw new Error(response.statusText);
  }
  /** @type {Markdown & { problem?: string }} */
  const answer = await response.json();
  if (!answer.problem && dialog.open) {
    insert(answer.alt[area?.lang ?? ''] ?? '', answer.after);
  }
  return answer.problem ?? '';
}

dialog.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button');
  if (!button) {
    return;
  }
  const { add: url, after, sample } = button.dataset;
  if (url) {
    const body = new FormData();
    body.append('csrfmiddlewaretoken', getToken());
    void tryTo(async () => {
      await add(url, body);
    }, button);
  } else if (sample) {
    insertSnippet({ before: '![', sample, after });
  } else if (after) {
    insert(button.getAttribute(`data-alt-${area?.lang}`) ?? '', after);
  }
});

function getToken() {
  const field = /** @type {HTMLInputElement} */ (choices.querySelector('[name="csrfmiddlewaretoken"]'));
  return field.value;
}

choices.addEventListener('submit', (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const refusal = /** @type {HTMLElement} */ (form.querySelector('[data-problem]'));
  refusal.hidden = true;
  void tryTo(async () => {
    refusal.textContent = await add(form.action, new FormData(form));
    refusal.hidden = !refusal.textContent;
  }, form.querySelector('[type="submit"]'));
});
