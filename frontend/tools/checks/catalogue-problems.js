import {
  isPluralElement,
  isSelectElement,
  isStructurallySame,
  isTagElement,
  parse,
} from '@formatjs/icu-messageformat-parser';

/**
 * @typedef {'en' | 'cs'} Language
 * @typedef {Record<string, string>} Messages the messages of a language by id
 * @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element
 */

/** The messages that are the same in both languages, each with the reason. */
const SAME_IN_BOTH = new Map([
  ['dashboard.video', 'Czech has the same word'],
  ['navigation.newsletter', 'Czech has the same word'],
  ['footer.copyright', 'a sign, a year and the name of the brand'],
]);

/** Characters that Czech typography replaces: a dash, „“ and the ellipsis (ČSN 01 6910). */
const TYPEWRITER_CHARACTERS = / - |"|\.{3}/;

/**
 * Return the problems of the messages: one that is missing in one language, unused, invalid, untranslated or not in Czech
 * typography; other placeholders than the translation; a missing plural form (Unicode CLDR). That an id in use exists is
 * checked by TypeScript.
 *
 * @param {Record<Language, Messages>} messages
 * @param {string} source the code, in which every id in use stands in quotes
 * @param {ReadonlyMap<string, string>} [sameInBoth] the ids whose texts are equal, each with the reason
 * @returns {string[]} one line for each problem
 */
export function problems({ en, cs }, source, sameInBoth = SAME_IN_BOTH) {
  const both = Object.keys(en).filter((id) => id in cs);
  /** @param {string[]} ids @param {string} problem */
  const report = (ids, problem) => ids.map((id) => `${id} ${problem}`);
  return [
    ...report(missingKeys(en, cs), 'is missing from cs'),
    ...report(missingKeys(cs, en), 'is missing from en'),
    ...report(
      Object.keys(en).filter((id) => !source.includes(`'${id}'`) && !source.includes(`"${id}"`)),
      'is unused',
    ),
    ...both.flatMap((id) => compareMessages(id, en[id] ?? '', cs[id] ?? '')),
    ...report(
      both.filter((id) => en[id] === cs[id] && !sameInBoth.has(id)),
      'is still English in cs',
    ),
    ...report(
      [...sameInBoth.keys()].filter((id) => en[id] !== cs[id]),
      'is listed as the same in both languages, but is not',
    ),
    ...report(
      Object.keys(cs).filter((id) => TYPEWRITER_CHARACTERS.test(cs[id] ?? '')),
      'in cs has a hyphen for –, straight quotes for „“, or dots for …',
    ),
  ];
}

/** @param {Messages} one @param {Messages} other */
function missingKeys(one, other) {
  return Object.keys(one).filter((id) => !(id in other));
}

/**
 * Return the problems of a message and its translation.
 *
 * @param {string} id
 * @param {string} english
 * @param {string} czech
 */
function compareMessages(id, english, czech) {
  if (!english.trim() || !czech.trim()) return [`${id} is empty`];
  try {
    const en = parse(english);
    const cs = parse(czech);
    const { success, error } = isStructurallySame(en, cs);
    return [
      ...(success ? [] : [`${id} differs in cs: ${error?.message}`]),
      ...(optionsOf(en) === optionsOf(cs) ? [] : [`${id} has other options in cs`]),
      ...findPluralProblems(id, 'en', en),
      ...findPluralProblems(id, 'cs', cs),
    ];
  } catch (error) {
    return [`${id} is invalid: ${String(error)}`];
  }
}

/** @param {string} id @param {Language} language @param {Element[]} elements */
function findPluralProblems(id, language, elements) {
  return [...choicesIn(elements)].filter(isPluralElement).flatMap(({ value, pluralType, options }) => {
    const rules = new Intl.PluralRules(language, { type: pluralType ?? 'cardinal' });
    const needed = rules.resolvedOptions().pluralCategories.toSorted().join(', ');
    // Exact forms such as `=0` are extra.
    const forms = Object.keys(options).filter((form) => !form.startsWith('='));
    const given = forms.sort().join(', ');
    return needed === given ? [] : [`${id}: {${value}} in ${language} needs ${needed}, and has ${given}`];
  });
}

/** Return the options of the selects of a message as text. @param {Element[]} elements */
function optionsOf(elements) {
  const selects = [...choicesIn(elements)].filter(isSelectElement);
  return selects
    .map(({ value, options }) => `${value}: ${Object.keys(options).sort().join(', ')}`)
    .sort()
    .join('; ');
}

/**
 * Yield the plurals and selects of a message, the nested ones too.
 *
 * @param {Element[]} elements
 * @returns {Generator<Element>}
 */
function* choicesIn(elements) {
  for (const element of elements) {
    if (isTagElement(element)) yield* choicesIn(element.children);
    if (!isPluralElement(element) && !isSelectElement(element)) continue;
    yield element;
    for (const { value } of Object.values(element.options)) yield* choicesIn(value);
  }
}
