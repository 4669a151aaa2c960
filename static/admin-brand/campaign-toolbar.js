/*
 * The toolbar of the editor: its buttons and keys insert Markdown, as does the event `snippet` of another script.
 */
'use strict';

for (const toolbar of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.toolbar'))) {
  const area = /** @type {HTMLTextAreaElement} */ (document.getElementById(toolbar.dataset.target ?? ''));
  toolbar.hidden = false;
  toolbar.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button');
    if (button && !('pictures' in button.dataset)) {
      insertSnippet(area, button.dataset);
    }
  });
  area.addEventListener('snippet', (event) => {
    insertSnippet(area, /** @type {CustomEvent<DOMStringMap>} */ (event).detail);
  });
  area.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) {
      return;
    }
    const button = toolbar.querySelector(`[data-key="${CSS.escape(getLatinKey(event))}"]`);
    if (button instanceof HTMLElement) {
      event.preventDefault();
      insertSnippet(area, button.dataset);
    }
  });
}

/**
 * Return the letter of a key; where it is not a Latin one, the letter at its place on an English keyboard.
 *
 * @param {KeyboardEvent} event
 */
function getLatinKey({ key, code }) {
  return (/^\p{Script=Latin}$/u.test(key) ? key : code.replace('Key', '')).toLowerCase();
}

/** @param {HTMLTextAreaElement} area @param {DOMStringMap} snippet */
function insertSnippet(area, { before = '', sample = '', after = '', line, block }) {
  area.focus();
  let { selectionStart: start, selectionEnd: end } = area;
  const { value } = area;
  if (line !== undefined) {
    start = value.lastIndexOf('\n', start - 1) + 1;
    const lines = value.slice(start, end).split('\n');
    replaceText(area, start, end, lines.map((text) => `${line}${text}`).join('\n'));
    return;
  }
  const chosen = value.slice(start, end) || sample;
  const gapBefore = block === undefined || /(^|\n\n)$/.test(value.slice(0, start)) ? '' : '\n\n';
  const gapAfter = block === undefined || /^(\n\n|$)/.test(value.slice(end)) ? '' : '\n\n';
  replaceText(area, start, end, gapBefore + before + chosen + after + gapAfter);
  const first = start + gapBefore.length + before.length;
  const address = after.indexOf('https://');
  if (address === -1 || value.slice(start, end) === '') {
    area.setSelectionRange(first, first + chosen.length);
  } else {
    // The text is there already; the address comes next.
    const place = first + chosen.length + address;
    area.setSelectionRange(place, place + 'https://'.length);
  }
}

/** @param {HTMLTextAreaElement} area @param {number} start @param {number} end @param {string} text */
function replaceText(area, start, end, text) {
  area.setSelectionRange(start, end);
  // Deprecated, but the only way that can be undone with Ctrl+Z.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, start, end, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
