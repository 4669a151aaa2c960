/*
 * The invitation link on the pages of the newsletter: buttons that share it by the browser's own sheet, and copy it.
 * Without it, the link stands in its field.
 */
'use strict';

/** @param {HTMLInputElement} field @param {HTMLElement} result */
function showInvitationButtons(field, result) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const shares = document.querySelectorAll('[data-share]');
  for (const button of shares) {
    button.hidden = !('share' in navigator);
    button.addEventListener('click', () => {
      // Closing the sheet rejects, too.
      navigator.share({ title: button.dataset.share ?? '', url: field.value }).catch(() => undefined);
    });
  }
  /** @type {NodeListOf<HTMLButtonElement>} */
  const copies = document.querySelectorAll('[data-copied]');
  for (const button of copies) {
    button.hidden = !('clipboard' in navigator); // it is over https and on this machine only
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(field.value).then(
        () => (result.textContent = button.dataset.copied ?? ''),
        () => field.focus(),
      );
    });
  }
  field.addEventListener('focus', () => field.select());
}

const invitationField = document.getElementById('invitation-url');
const invitationResult = document.getElementById('invitation-result');
if (invitationField instanceof HTMLInputElement && invitationResult) {
  showInvitationButtons(invitationField, invitationResult);
}
