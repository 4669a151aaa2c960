/*
 * The toolbar of the editor: its buttons and keys insert Markdown, as does the event `snippet` of another script.
 */
'use strict';

for (const toolbar of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.toolbar'))) {
  const area = /** @type {HTMLTextAreaElement} */ (document.getElementById(toolbar.dataset.target ?? ''));
  toolbar.hidden = false;
  area.setSelectionRange(area.value.length, area.value.length); // before a click, insertions go to the end
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
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const button = toolbar.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (button instanceof HTMLElement && (ctrlKey || metaKey) && !altKey && !shiftKey) {
      event.preventDefault();
      insertSnippet(area, button.dataset);
    }
  });
}

/** @param {HTMLTextAreaElement} area @param {DOMStringMap} snippet */
function insertSnippet(area, { before = '', sample = '', after = '', line, block }) {
  area.focus();
  const { selectionStart: start, selectionEnd: end, value } = area;
  if (line !== undefined) {
    const first = value.lastIndexOf('\n', start - 1) + 1;
    area.setSelectionRange(first, end);
    replaceSelection(area, value.slice(first, end).replace(/^/gm, line));
    return;
  }
  const gapBefore = block === undefined || /(^|\n\n)$/.test(value.slice(0, start)) ? '' : '\n\n';
  const gapAfter = block === undefined || /^(\n\n|$)/.test(value.slice(end)) ? '' : '\n\n';
  const chosen = value.slice(start, end) || sample;
  replaceSelection(area, gapBefore + before + chosen + after + gapAfter);
  const first = start + gapBefore.length + before.length;
  const address = start === end ? -1 : after.indexOf('https://');
  if (address === -1) {
    area.setSelectionRange(first, first + chosen.length);
  } else {
    // The text is there already; the address comes next.
    const place = first + chosen.length + address;
    area.setSelectionRange(place, place + 'https://'.length);
  }
}

/** @param {HTMLTextAreaElement} area @param {string} text */
function replaceSelection(area, text) {
  // Deprecated, but the only way that can be undone with Ctrl+Z.
  // oxlint-disable-next-line typescript/no-deprecated
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
