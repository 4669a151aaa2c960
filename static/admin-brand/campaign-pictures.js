/* The dialog of the editor in which a picture is chosen. The editor inserts its Markdown (the event `snippet`). */
'use strict';

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('picture-dialog'));
const choices = /** @type {HTMLElement} */ (dialog.querySelector('.picture-choices'));
const problem = /** @type {HTMLElement} */ (dialog.querySelector('.errornote'));

/** The field that the picture goes into. @type {HTMLTextAreaElement} */
let area;

for (const opener of document.querySelectorAll('[data-pictures]')) {
  opener.addEventListener('click', () => {
    const toolbar = /** @type {HTMLElement} */ (opener.closest('.toolbar'));
    area = /** @type {HTMLTextAreaElement} */ (document.getElementById(toolbar.dataset.target ?? ''));
    dialog.showModal();
    void load();
  });
}

async function load() {
  const response = await request('GET');
  choices.innerHTML = (await response?.text()) ?? '';
}

/** Upload the picture of a form and insert it. @param {HTMLFormElement} form @param {Element | null} button */
async function add(form, button) {
  button?.toggleAttribute('disabled', true);
  const response = await request('POST', new FormData(form));
  button?.toggleAttribute('disabled', false);
  /** @type {{ alt: Record<string, string>, after: string } | undefined} */
  const added = await response?.json();
  if (added && dialog.open) {
    insert(added.alt[area.lang] ?? '', added.after);
  }
}

/**
 * Ask the server for the pictures, or to add one. Show why it fails.
 *
 * @param {string} method
 * @param {FormData} [body]
 */
async function request(method, body) {
  problem.hidden = true;
  let reason = dialog.dataset.failed ?? '';
  try {
    const response = await fetch(dialog.dataset.picker ?? '', { method, ...(body && { body }) });
    if (response.ok && !response.redirected) {
      return response;
    }
    if (response.status === 400) {
      /** @type {{ problem: string }} */
      const answer = await response.json();
      reason = answer.problem;
    }
  } catch {
    // The network failed.
  }
  problem.textContent = reason;
  problem.hidden = false;
  dialog.scrollTo(0, 0);
  return undefined;
}

/** Insert a picture after what is selected. Without an alt text, the caret comes where it is missing. @param {string} alt @param {string} after */
function insert(alt, after) {
  dialog.close();
  area.setSelectionRange(area.selectionEnd, area.selectionEnd);
  const detail = alt ? { block: '', before: `![${alt}${after}` } : { block: '', before: '![', after };
  area.dispatchEvent(new CustomEvent('snippet', { detail }));
}

choices.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('button');
  if (button) {
    insert(button.getAttribute(`data-alt-${area.lang}`) ?? '', button.dataset.after ?? '');
  }
});

choices.addEventListener('submit', (event) => {
  event.preventDefault();
  void add(/** @type {HTMLFormElement} */ (event.target), event.submitter);
});
