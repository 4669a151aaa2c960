/* Update the preview as soon as the required columns are chosen. Without this script there is a button. */
'use strict';

const mapping = /** @type {HTMLFormElement} */ (document.getElementById('mapping'));
const update = /** @type {HTMLElement} */ (mapping.querySelector('.quiet-button'));

update.hidden = true;
for (const select of mapping.querySelectorAll('select')) {
  select.addEventListener('change', () => {
    if (mapping.checkValidity()) {
      mapping.requestSubmit(update);
    }
  });
}
