/** Paste what was copied from Word, Google Docs or a web page into the text of a campaign as Markdown. */
import { convertToMarkdown } from './convertToMarkdown';

/** A block begins and ends with an empty line. */
const BLOCK = /^(#|>|- |\d+\. )|\n\n/;

for (const area of document.querySelectorAll<HTMLTextAreaElement>('textarea.campaign-body')) {
  area.addEventListener('paste', (event) => {
    const markdown = convertToMarkdown(event.clipboardData?.getData('text/html') ?? '');
    if (markdown) {
      event.preventDefault();
      insert(area, markdown);
    }
  });
}

function insert(area: HTMLTextAreaElement, markdown: string) {
  const { value, selectionStart, selectionEnd } = area;
  const isBlock = BLOCK.test(markdown);
  const before = isBlock && !/(^|\n\n)$/.test(value.slice(0, selectionStart)) ? '\n\n' : '';
  const after = isBlock && !/^(\n\n|$)/.test(value.slice(selectionEnd)) ? '\n\n' : '';
  const text = `${before}${markdown}${after}`;
  // Deprecated, but the only way that can be undone with Ctrl+Z.
  // oxlint-disable-next-line typescript/no-deprecated
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, selectionStart, selectionEnd, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
