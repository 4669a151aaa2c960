/*
 * Style the preview of a mail. Mails have their styles in attributes, which the policy of the page forbids; they come as
 * `data-style`, and a script may set them.
 */
'use strict';

for (const frame of document.querySelectorAll('iframe.request-preview')) {
  frame.addEventListener('load', () => style(/** @type {HTMLIFrameElement} */ (frame)));
  style(/** @type {HTMLIFrameElement} */ (frame));
}

/** @param {HTMLIFrameElement} frame */
function style(frame) {
  const content = frame.contentDocument;
  if (!content?.body) {
    return;
  }
  for (const element of content.querySelectorAll('[data-style]')) {
    /** @type {HTMLElement} */ (element).style.cssText = element.getAttribute('data-style') ?? '';
  }
  frame.style.height = `${content.documentElement.scrollHeight}px`;
}
