/*
 * The checks of the editor: a click on one leads to its line, and all of them can be seen.
 */
'use strict';

const aside = /** @type {HTMLElement} */ (document.getElementById('campaign-aside'));

aside.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('.problems a');
  if (link instanceof HTMLAnchorElement) {
    event.preventDefault();
    showProblem(link.hash);
  }
});

// The page before sending leads here.
showProblem(window.location.hash);

/** Show the field and the line of a problem. @param {string} hash such as `#id_body_en:7` */
function showProblem(hash) {
  const [id = '', line] = hash.slice(1).split(':');
  const field = document.getElementById(id);
  document.getElementById(`tab-${id.split('_').at(-1)}`)?.click();
  if (field instanceof HTMLTextAreaElement && line) {
    selectLine(field, Number(line));
  } else {
    field?.focus();
  }
}

/** @param {HTMLTextAreaElement} area @param {number} line counted from 1 */
function selectLine(area, line) {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  // A text area scrolls to its caret when it gets the focus.
  area.blur();
  area.setSelectionRange(start, start);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
}

/** Let the preview and the checks stay beside the form, but scroll with it as long as their end is below the window. */
function stick() {
  const room = window.innerHeight - aside.offsetHeight - 16;
  aside.style.setProperty('--stick', `${Math.min(16, room)}px`);
}

new ResizeObserver(stick).observe(aside);
window.addEventListener('resize', stick);
