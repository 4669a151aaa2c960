import { parse } from '@formatjs/icu-messageformat-parser';

/**
 * Webpack loader: a catalogue of ICU messages in, the same catalogue with the syntax tree of each out.
 *
 * The parser of messages, 7 KB of first load, is left out of the bundle; without it react-intl formats
 * nothing but syntax trees, so a plain text becomes one too.
 *
 * @param {string} source the JSON of a flat catalogue
 * @returns {string} JSON
 * @throws {SyntaxError} when a message is no valid ICU MessageFormat
 */
export default function catalogueLoader(source) {
  const messages = /** @type {Record<string, string>} */ (JSON.parse(source));
  return JSON.stringify(
    Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, parse(message)])),
  );
}
