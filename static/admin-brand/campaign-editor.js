/*
 * The editor of a campaign: keeps what is typed in this browser until it is saved, and shows the preview and
 * the checks that follow the form (`fragment.js`). Without it, the page shows those of what was saved.
 * The page after a save loads it too, to delete what was kept.
 */
'use strict';

/** Fields that nobody types. */
const OWN_FIELDS = ['csrfmiddlewaretoken', 'version', 'shown'];

for (const { className } of document.querySelectorAll('.messagelist [class*="campaign-draft-"]')) {
  window.localStorage.removeItem(/campaign-draft-\S+/.exec(className)?.[0] ?? '');
}

const editor = /** @type {HTMLFormElement | null} */ (document.getElementById('campaign-form'));
if (editor) {
  const aside = /** @type {HTMLElement} */ (document.querySelector('.campaign-aside'));
  aside.addEventListener('fragment', (event) => {
    event.preventDefault();
    const { detail: html } = /** @type {CustomEvent<string | null>} */ (event);
    getElement('check-failed').hidden = html !== null;
    if (html !== null) showChecks(html);
  });
  // Last, because it throws where the browser blocks storage.
  editor.addEventListener('input', keepDraft(editor));
}

/** @param {string} id @returns {HTMLElement} */
function getElement(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}`);
  return element;
}

/* --- What is not saved --------------------------------------------------------------------- */

/** Return a function that keeps what the form has now, and offer what was kept before. @param {HTMLFormElement} form */
function keepDraft(form) {
  const { draft: key = '' } = form.dataset;
  const read = () => JSON.stringify([...new FormData(form)].filter(([name]) => !OWN_FIELDS.includes(name)));
  const loaded = read();
  const saved = 'unsaved' in form.dataset ? '' : loaded;
  let isUnsaved = false;

  function keep() {
    const typed = read();
    isUnsaved = typed !== saved;
    getElement('unsaved').hidden = !isUnsaved;
    if (isUnsaved) window.localStorage.setItem(key, typed);
    else window.localStorage.removeItem(key);
  }

  const kept = window.localStorage.getItem(key);
  const offer = getElement('campaign-draft');
  offer.hidden = !kept || kept === loaded;
  if ('unsaved' in form.dataset) keep();
  offer.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button');
    if (!button) return;
    offer.hidden = true;
    if ('restore' in button.dataset) restore(form, kept ?? '[]');
    else keep();
  });

  window.addEventListener('beforeunload', (event) => {
    if (isUnsaved) event.preventDefault();
  });
  form.addEventListener('submit', () => {
    isUnsaved = false;
  });
  return keep;
}

/** @param {HTMLFormElement} form @param {string} kept */
function restore(form, kept) {
  /** @type {[string, string][]} */
  const fields = JSON.parse(kept);
  const values = new Map(fields);
  for (const element of form.elements) {
    const field = /** @type {HTMLInputElement} */ (element);
    const value = values.get(field.name);
    if (field.type === 'checkbox') field.checked = value !== undefined;
    else if (value !== undefined) field.value = value;
  }
  form.dispatchEvent(new Event('input'));
}

/* --- Preview and checks -------------------------------------------------------------------- */

for (const frame of document.querySelectorAll('iframe')) {
  frame.addEventListener('load', () => fitMail(frame));
  fitMail(frame); // it may be loaded already
}

/** Keep a frame as high as its mail, up to the height that the style sheet allows. @param {HTMLIFrameElement} frame */
function fitMail(frame) {
  const mail = frame.contentDocument?.querySelector('html');
  if (!mail) return;
  new ResizeObserver(() => {
    frame.style.setProperty('--mail-height', `${mail.getBoundingClientRect().height}px`);
  }).observe(mail);
}

/** Show a new preview and its checks. The frames stay, because a new one would begin at its top. @param {string} html */
function showChecks(html) {
  const parser = new DOMParser();
  for (const part of parser.parseFromString(html, 'text/html').querySelectorAll('[data-live]')) {
    const shown = getElement(part.id);
    if (part instanceof HTMLIFrameElement && shown instanceof HTMLIFrameElement) {
      const { body } = parser.parseFromString(part.srcdoc, 'text/html');
      shown.contentDocument?.body.replaceWith(body);
    } else if (shown.innerHTML !== part.innerHTML) {
      shown.replaceChildren(...part.childNodes);
    }
  }
  const counted = document.querySelector('#problems .problems-count');
  getElement('checks-link').textContent = counted?.textContent ?? '';
}

/* --- From a check to its line -------------------------------------------------------------- */

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('#problems a');
  if (editor && link instanceof HTMLAnchorElement) {
    event.preventDefault();
    showProblem(link.hash);
  }
});
// The page before sending leads here.
if (editor) showProblem(window.location.hash);

/** Show the field and the line of a problem. @param {string} hash such as `#id_body_en:7` */
function showProblem(hash) {
  const [id = '', number] = hash.slice(1).split(':');
  const field = document.getElementById(id);
  document.getElementById(`tab-${id.split('_').at(-1)}`)?.click();
  if (field instanceof HTMLTextAreaElement && number) {
    const lines = field.value.split('\n');
    const start = lines.slice(0, Number(number) - 1).join('\n').length + (number === '1' ? 0 : 1);
    // A text area scrolls to its caret when it gets the focus.
    field.blur();
    field.setSelectionRange(start, start);
    field.focus();
    field.setSelectionRange(start, start + (lines[Number(number) - 1] ?? '').length);
  } else {
    field?.focus();
  }
}
