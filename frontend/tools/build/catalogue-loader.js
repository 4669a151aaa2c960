import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { parse } from '@formatjs/icu-messageformat-parser';

/** A Czech one-letter word, which must not end a line (ČSN 01 6910), and the space after it. */
const LONE_LETTER = /(?<![\p{L}’])([ksvzouai]) /giu;

/** The hyphen of "e-mail" in a sentence. A word joiner prevents a break, because Montserrat has no non-breaking hyphen. */
const EMAIL_HYPHEN = /(?<=\be-)(?=mail)/gu;

/** Messages of the document head, which Django writes too, without non-breaking spaces. */
const HEAD_MESSAGE = /\.page(Title|Description)$/;

/** @param {string} text in Czech */
const preventBreaks = (text) => text.replace(LONE_LETTER, '$1\u00a0').replace(EMAIL_HYPHEN, '\u2060');

/** The content that the loader compiles: messages of a language, the list of its catalogues, and sample data. */
export const CONTENT = /\/(?:messages\/\w+|sample\/\w+\/[\w-]+)\.json(?:\?|$)/;

/**
 * Webpack loader for the content of the front end, which is no code: `messages/<language>.json?<catalogue>` with parsed
 * ICU messages (the bundle then needs no parser, which is 7 KB of the first load), `messages/catalogues.json?chunks` with the
 * imports of all of these by language and name, and `sample/<language>/<name>.json` with the files of its pictures.
 *
 * @this {{ resourcePath: string, resourceQuery: string }}
 * @param {string} source
 * @returns {string} a module
 * @throws {SyntaxError} if a message is not valid ICU MessageFormat
 */
export default function catalogueLoader(source) {
  /** @type {Record<string, string[]>} */
  const catalogues = JSON.parse(
    readFileSync(new URL('../../messages/catalogues.json', import.meta.url), 'utf8'),
  );
  if (this.resourceQuery === '?chunks') return listChunks(Object.keys(catalogues));
  if (this.resourcePath.endsWith('/catalogues.json')) return `export default ${source}`;
  const isCzech = /\/cs(\/[\w-]+)?\.json$/.test(this.resourcePath);
  if (this.resourcePath.includes('/sample/'))
    return compileSample(source, basename(this.resourcePath, '.json'), isCzech);
  const prefixes = catalogues[this.resourceQuery.slice(1)];
  return compileMessages(source, prefixes, isCzech);
}

/** @param {string} source @param {string[] | undefined} prefixes undefined for all @param {boolean} isCzech */
function compileMessages(source, prefixes, isCzech) {
  /** @type {Record<string, string>} */
  const messages = JSON.parse(source);
  const own = Object.entries(messages).filter(([id]) => prefixes?.includes(id.split('.')[0] ?? '') ?? true);
  const trees = own.map(([id, text]) => [
    id,
    parse(isCzech && !HEAD_MESSAGE.test(id) ? preventBreaks(text) : text),
  ]);
  return `export default ${JSON.stringify(Object.fromEntries(trees))}`;
}

/** @param {string} source @param {string} name @param {boolean} isCzech */
function compileSample(source, name, isCzech) {
  const json = JSON.stringify(JSON.parse(source));
  const picture = /"picture":"([\w-]+)"/g;
  const files = [...new Set([...json.matchAll(picture)].map(([, file = '']) => file))];
  const imports = files.map((file, index) => `import p${index} from '@media/${file}.avif?picture';`);
  const data = json.replace(picture, (_match, /** @type {string} */ file) => `...p${files.indexOf(file)}`);
  const sample = `{ "sample-${name}": ${isCzech ? preventBreaks(data) : data} }`;
  return [...imports, `export default ${sample}`].join('\n');
}

/** @param {string[]} catalogues */
function listChunks(catalogues) {
  const samples = readdirSync(new URL('../../sample/en', import.meta.url)).map((file) =>
    basename(file, '.json'),
  );
  const chunks = ['en', 'cs'].map((language) => {
    const files = [
      ...catalogues.map((name) => [name, `./${language}.json?${name}`]),
      ...samples.map((name) => [`sample-${name}`, `../sample/${language}/${name}.json`]),
    ];
    const imports = files.map(
      ([name, file]) =>
        `'${name}': () => import(/* webpackChunkName: "messages-${language}-${name}" */ '${file}')`,
    );
    return `${language}: { ${imports.join(', ')} }`;
  });
  return `export default { ${chunks.join(', ')} }`;
}
