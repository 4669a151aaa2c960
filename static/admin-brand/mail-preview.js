/*
 * Style the preview of a mail. Mails have their styles in attributes and in a style element, which the policy of the page
 * forbids; they come as `data-style` and in a template, and a script may apply them.
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
  const styles = content.querySelector('template')?.content.textContent;
  if (styles && content.defaultView) {
    const sheet = new content.defaultView.CSSStyleSheet();
    sheet.replaceSync(styles);
    content.adoptedStyleSheets = [sheet];
  }
  for (const element of content.querySelectorAll('[data-style]')) {
    /** @type {HTMLElement} */ (element).style.cssText = element.getAttribute('data-style') ?? '';
  }
  frame.style.height = `${content.documentElement.scrollHeight}px`;
}
