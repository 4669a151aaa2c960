/*
 * The checks of the editor: a click on one leads to its line, all of them can be seen, and the links are opened on request.
 */
'use strict';

const aside = /** @type {HTMLElement} */ (document.getElementById('campaign-aside'));

aside.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[data-tab]');
  if (link instanceof HTMLAnchorElement) {
    event.preventDefault();
    document.getElementById(link.dataset.tab ?? '')?.click();
    const field = document.getElementById(link.hash.slice(1));
    if (field instanceof HTMLTextAreaElement && link.dataset.line) {
      selectLine(field, Number(link.dataset.line));
    } else {
      field?.focus();
    }
  }
});

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

const linkCheck = /** @type {HTMLElement} */ (document.getElementById('link-check'));
const linkButton = /** @type {HTMLButtonElement} */ (linkCheck.querySelector('button'));
const linkResult = /** @type {HTMLElement} */ (linkCheck.querySelector('[role="status"]'));

linkCheck.hidden = false;
linkButton.addEventListener('click', () => void checkLinks());

async function checkLinks() {
  const { url = '', running = '', failed = '' } = linkCheck.dataset;
  const form = /** @type {HTMLFormElement} */ (document.getElementById('campaign-form'));
  linkButton.disabled = true;
  linkResult.textContent = running;
  try {
    const response = await fetch(url, { method: 'POST', body: new FormData(form) });
    if (!response.ok || response.redirected) throw new Error(response.statusText);
    linkResult.innerHTML = await response.text();
  } catch {
    linkResult.textContent = failed;
  }
  linkButton.disabled = false;
}
