/**
 * Convert HTML that was copied from Word, Google Docs or a web page to the Markdown of campaigns.
 *
 * turndown writes the Markdown. Before that, styles become elements, because word processors write emphasis and lists as
 * styles.
 */
import TurndownService from 'turndown';

const HEADINGS = 'h1, h2, h3, h4, h5, h6';
const STRUCTURE = `${HEADINGS}, p, li, blockquote, table, strong, em, a[href]`;
const LINK = /^(https?|mailto|tel):/i;

/** Merge fields and bare addresses, in which a backslash would stay. */
const LITERAL = /\{[^{}]*\}|(?:https?:\/\/|www\.)\S+/g;

const turndown = new TurndownService({
  headingStyle: 'atx',
  bulletListMarker: '-',
  emDelimiter: '*',
  hr: '***',
});

const escapeMarkdown = turndown.escape.bind(turndown);
turndown.escape = (text) => escapeMarkdown(text).replace(LITERAL, (literal) => literal.replaceAll('\\', ''));

turndown.addRule('link', {
  filter: 'a',
  replacement: (content, node) => {
    const href = (node as Element).getAttribute('href') ?? '';
    const address = href.replace(/[()<>\s]/g, (found) => `%${found.charCodeAt(0).toString(16)}`);
    return content.trim() && LINK.test(href) ? `[${content}](${address})` : content;
  },
});

/** Return copied HTML as Markdown; blank if it says no more than the copied plain text. */
export function convertToMarkdown(html: string): string {
  // The policy of the page forbids styles in what is parsed, too.
  const inert = html.replace(/<[^>]+>/g, (tag) =>
    tag.replace(/^(<\/?)style/i, '$1template').replace(/\sstyle\s*=/gi, ' data-style='),
  );
  const { body } = new DOMParser().parseFromString(inert, 'text/html');
  // A code editor: what was copied may be Markdown.
  if (body.querySelector('[data-style*="white-space: pre;"]')) return '';
  removeInvisible(body);
  makeLists(body);
  makeHeadings(body);
  makeEmphasis(body);
  if (!body.querySelector(STRUCTURE)) return '';
  return turndown
    .turndown(body)
    .replace(/^( *)(-|\d+\.) +/gm, '$1$2 ') // turndown writes up to three spaces behind the mark
    .replace(/\n\s*\n/g, '\n\n')
    .trim();
}

/** Remove what readers cannot see: pictures and descriptions of the file, and the empty paragraphs that are gaps in Word. */
function removeInvisible(body: HTMLElement) {
  for (const element of body.querySelectorAll('img, script, title, meta, link, xml, template'))
    element.remove();
  for (const element of body.querySelectorAll('p, o\\:p')) if (!element.textContent.trim()) element.remove();
}

/** Make lists of Word's paragraphs (`mso-list:l0 level1 lfo1`), and nest the lists of Google Docs in their items. */
function makeLists(body: HTMLElement) {
  /** The open lists, the outermost first. */
  const lists: Element[] = [];
  for (const paragraph of body.querySelectorAll('p[data-style*="mso-list"]')) {
    const level = Number(/mso-list:\s*\w+\s+level(\d)/.exec(paragraph.getAttribute('data-style') ?? '')?.[1]);
    const marker = paragraph.querySelector(
      '[data-style*="mso-list:Ignore"], [data-style*="mso-list: Ignore"]',
    );
    if (!level || !marker) continue;
    const name = /^\s*(\d+|[a-z])[.)]/i.test(marker.textContent) ? 'ol' : 'ul';
    marker.remove();
    if (paragraph.previousElementSibling !== lists[0]) lists.length = 0;
    lists.length = Math.min(lists.length, level);
    if (lists.length === level && !lists.at(-1)?.matches(name)) lists.pop();
    while (lists.length < level) {
      const list = document.createElement(name);
      const outer = lists.at(-1);
      if (outer) (outer.lastElementChild ?? outer).append(list);
      else paragraph.before(list);
      lists.push(list);
    }
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    lists.at(-1)?.append(item);
    paragraph.remove();
  }
  for (const text of body.querySelectorAll('li > p')) text.replaceWith(...text.childNodes);
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    list.previousElementSibling?.append(list);
  }
}

function makeHeadings(body: HTMLElement) {
  for (const title of body.querySelectorAll('p.MsoTitle')) {
    const heading = document.createElement('h1');
    heading.append(...title.childNodes);
    title.replaceWith(heading);
  }
  // Emphasis is the look of a heading.
  for (const element of body.querySelectorAll(`:is(${HEADINGS}) :is(b, strong, span)`)) {
    element.replaceWith(...element.childNodes);
  }
}

/**
 * Turn styles into elements, and drop those that say nothing: a field or an address may be split over several of them.
 * Google Docs wraps everything in a `b` that is not bold.
 */
function makeEmphasis(body: HTMLElement) {
  const elements = 'b, big, em, font, i, ins, mark, o\\:p, small, span, strong, u, wbr';
  for (const element of body.querySelectorAll<HTMLElement>(elements)) {
    const { style = '' } = element.dataset;
    const weight = /font-weight:\s*(\w+)/.exec(style)?.[1];
    const slant = /font-style:\s*(\w+)/.exec(style)?.[1];
    const isBold = weight ? /bold|[6-9]00/.test(weight) : element.matches('b, strong');
    const isItalic = slant ? slant === 'italic' : element.matches('i, em');
    let content: Node[] = [...element.childNodes];
    for (const name of [isItalic && 'em', isBold && 'strong']) {
      if (!name || element.parentElement?.closest(name)) continue;
      const wrapper = document.createElement(name);
      wrapper.append(...content);
      content = [wrapper];
    }
    element.replaceWith(...content);
  }
  // A word may consist of several parts.
  for (const element of body.querySelectorAll('strong, em')) {
    while (element.nextSibling?.nodeName === element.nodeName) {
      element.append(...element.nextSibling.childNodes);
      element.nextSibling.remove();
    }
  }
  body.normalize();
}
