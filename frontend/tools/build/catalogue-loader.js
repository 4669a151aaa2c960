import { parse } from '@formatjs/icu-messageformat-parser';

/** A word of one letter, with which no Czech line ends (ČSN 01 6910), and the space after it. */
const LONE_LETTER = /(?<![\p{L}\p{N}])([ksvzouai]) (?=\S)/giu;

/** What stands in the head of a page, which has no lines: the same there as Django writes it. */
const OF_THE_HEAD = /\.page(Title|Description)$/;

/**
 * Webpack loader: a catalogue of ICU messages in, the same catalogue with the syntax tree of each out.
 *
 * The parser of messages, 7 KB of first load, is left out of the bundle; without it react-intl formats
 * nothing but syntax trees, so a plain text becomes one too.
 *
 * @this {{ resourcePath: string }} the file that is loaded: `…/<language>/<group>.json`
 * @param {string} source the JSON of a flat catalogue
 * @returns {string} a module
 * @throws {SyntaxError} when a message is no valid ICU MessageFormat
 */
export default function catalogueLoader(source) {
  const messages = /** @type {Record<string, string>} */ (JSON.parse(source));
  const isCzech = this.resourcePath.includes('/cs/');
  const trees = JSON.stringify(
    Object.fromEntries(
      Object.entries(messages).map(([id, message]) => [
        id,
        parse(isCzech && !OF_THE_HEAD.test(id) ? message.replace(LONE_LETTER, '$1\u00a0') : message),
      ]),
    ),
  );
  return `export default ${trees}`;
}
