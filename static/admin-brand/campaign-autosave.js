/*
 * Keep what is typed into a campaign in this browser until it is saved, and offer it after a reload or a crash.
 *
 * The pages after a save load this script too, to delete what was kept. Where the browser stores nothing, nothing happens.
 */
'use strict';

const KEEP_MILLISECONDS = 500;

/** Fields that are not typed. `draft`: which draft is being saved. */
const OWN_FIELDS = new Set(['csrfmiddlewaretoken', 'version', 'draft']);

/** @typedef {{ at: number, version: string, fields: [string, string][] }} Draft */

const draftForm = /** @type {HTMLFormElement | null} */ (document.getElementById('campaign-form'));
try {
  forgetSaved();
  if (draftForm) {
    startAutosave(draftForm);
  }
} catch (error) {
  if (!(error instanceof DOMException)) throw error;
}

/** Delete the draft that the server has saved: it repeats the field `draft` in the address of the next page. */
function forgetSaved() {
  const url = new URL(window.location.href);
  const saved = url.searchParams.get('saved');
  if (saved) {
    const [, key = ''] = /^(campaign-draft .*) \d+$/.exec(saved) ?? [];
    const draft = readDraft(key);
    if (draft && identify(key, draft) === saved) {
      window.localStorage.removeItem(key);
    }
    url.searchParams.delete('saved');
    window.history.replaceState(window.history.state, '', url);
  }
}

/** @param {string} key @returns {Draft | null} */
function readDraft(key) {
  /** @type {Draft | null} */
  const draft = JSON.parse(window.localStorage.getItem(key) ?? 'null');
  return draft;
}

/** Tell a draft from older and newer ones of its campaign. @param {string} key @param {Draft} draft */
function identify(key, draft) {
  return `${key} ${draft.at}`;
}

/** @param {HTMLFormElement} form */
function startAutosave(form) {
  const { draft: key = '' } = form.dataset;
  const version = /** @type {HTMLInputElement} */ (form.elements.namedItem('version')).value;
  const loaded = JSON.stringify(readFields(form));
  /** @type {number | undefined} */
  let timer;

  const keep = () => {
    window.clearTimeout(timer);
    timer = undefined;
    const fields = readFields(form);
    try {
      if (JSON.stringify(fields) === loaded && !('unsaved' in form.dataset)) {
        window.localStorage.removeItem(key);
      } else {
        window.localStorage.setItem(key, JSON.stringify({ at: Date.now(), version, fields }));
      }
    } catch {
      // The storage is full or no longer allowed.
    }
  };

  const draft = readDraft(key);
  if ('unsaved' in form.dataset) {
    keep();
  } else if (draft && normalize(draft.fields) !== normalize(readFields(form))) {
    offer(form, key, draft, version);
  } else {
    window.localStorage.removeItem(key);
  }

  form.addEventListener('input', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(keep, KEEP_MILLISECONDS);
  });
  window.addEventListener('pagehide', () => {
    if (timer) keep();
  });
  // The editor sends it just before it submits the form.
  form.addEventListener('saving', () => {
    keep();
    const kept = readDraft(key);
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('draft'));
    field.value = kept ? identify(key, kept) : '';
  });
}

/** @param {HTMLFormElement} form @returns {[string, string][]} */
function readFields(form) {
  return [...new FormData(form)]
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => [name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '']);
}

/** The server stores texts without the space around them. @param {[string, string][]} fields */
function normalize(fields) {
  return JSON.stringify(fields.map(([name, value]) => [name, value.trim()]));
}

/** Ask whether to restore a draft. @param {HTMLFormElement} form @param {string} key @param {Draft} draft @param {string} version */
function offer(form, key, draft, version) {
  const box = /** @type {HTMLElement} */ (document.getElementById('campaign-draft'));
  const question = /** @type {HTMLElement} */ (box.querySelector('p'));
  const at = new Date(draft.at);
  const isToday = at.toDateString() === new Date().toDateString();
  const time = at.toLocaleString(document.documentElement.lang, {
    ...(!isToday && { dateStyle: 'medium' }),
    timeStyle: 'short',
  });
  question.textContent = (box.dataset.question ?? '').replace('{time}', time);
  if (draft.version !== version) {
    question.textContent += ` ${box.dataset.newer}`;
  }
  box.hidden = false;
  box.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button');
    if (button) {
      box.hidden = true;
      if ('restore' in button.dataset) {
        restore(form, draft.fields);
      } else {
        window.localStorage.removeItem(key);
      }
    }
  });
}

/** @param {HTMLFormElement} form @param {[string, string][]} fields */
function restore(form, fields) {
  for (const field of form.elements) {
    if (
      !(
        field instanceof HTMLInputElement ||
        field instanceof HTMLTextAreaElement ||
        field instanceof HTMLSelectElement
      ) ||
      OWN_FIELDS.has(field.name) ||
      field.type === 'submit'
    ) {
      continue;
    }
    const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) {
      field.checked = values.includes(field.value);
    } else if (values[0] !== undefined) {
      field.value = values[0];
    }
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
