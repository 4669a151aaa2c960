import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/**
 * @typedef {'en' | 'cs'} Language
 * @typedef {Record<string, Record<string, string>>} Groups the messages of a language by group and id
 * @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element
 * @typedef {{ name: string, type: 'cardinal' | 'ordinal', forms: string[] }} Plural
 * @typedef {{ placeholders: Map<string, string>, plurals: Plural[] }} Shape the placeholders and plurals of a message
 */

/** The messages that are the same in both languages, each with the reason. */
const SAME_IN_BOTH = new Map([
  ['dashboard.video', 'Czech has the same word'],
  ['footer.copyright', 'a sign, a year and the name of the brand'],
]);

/** Characters that Czech typography replaces: a dash, „“ and the ellipsis (ČSN 01 6910). */
const TYPEWRITER_CHARACTERS = / - |"|\.{3}/;

/**
 * Return the problems of the catalogues: a message that is missing in one language, unused, invalid, untranslated or not in
 * Czech typography; other placeholders than the translation; a missing plural form (Unicode CLDR); two alternative texts
 * for one picture.
 *
 * @param {Record<Language, Groups>} catalogues
 * @param {Iterable<string>} usedIds the message ids in the sources
 * @param {ReadonlyMap<string, string>} [sameInBoth] the ids whose texts are equal, each with the reason
 * @returns {string[]} one line for each problem
 */
export function problems(catalogues, usedIds, sameInBoth = SAME_IN_BOTH) {
  const english = flat(catalogues.en);
  const czech = flat(catalogues.cs);
  const used = new Set(usedIds);
  return [
    ...misplaced('en', catalogues.en),
    ...misplaced('cs', catalogues.cs),
    ...without(english, czech, 'is missing from cs'),
    ...without(czech, english, 'is missing from en'),
    ...without(english, used, 'is unused'),
    ...without(used, english, 'is used, but does not exist'),
    ...[...english].flatMap(([id, text]) => unlike(id, text, czech.get(id))),
    ...untranslated(english, czech, sameInBoth),
    ...describedTwice(english, czech),
    ...typewritten(czech),
  ];
}

/** @param {Groups} groups */
function flat(groups) {
  return new Map(Object.values(groups).flatMap((messages) => Object.entries(messages)));
}

/** @param {Language} language @param {Groups} groups */
function misplaced(language, groups) {
  return Object.entries(groups).flatMap(([group, messages]) =>
    Object.keys(messages)
      .filter((id) => !id.startsWith(`${group}.`))
      .map((id) => `${id} belongs to another file than ${language}/${group}.json`),
  );
}

/**
 * @param {{ keys: () => Iterable<string> }} some
 * @param {{ has: (id: string) => boolean }} others
 * @param {string} complaint
 */
function without(some, others, complaint) {
  return [...some.keys()].filter((id) => !others.has(id)).map((id) => `${id} ${complaint}`);
}

/**
 * @param {Map<string, string>} english
 * @param {Map<string, string>} czech
 * @param {ReadonlyMap<string, string>} sameInBoth
 */
function untranslated(english, czech, sameInBoth) {
  const same = new Map([...english].filter(([id, text]) => czech.get(id) === text));
  return [
    ...without(same, sameInBoth, 'is still English in cs'),
    ...without(sameInBoth, same, 'is listed as the same in both languages, but is not'),
  ];
}

/** @param {Map<string, string>} english @param {Map<string, string>} czech */
function describedTwice(english, czech) {
  const pictures = [...english].filter(([id]) => /picture$/i.test(id));
  const first = new Map(pictures.toReversed().map(([id, text]) => [text, id]));
  return pictures
    .map(([id, text]) => ({ id, other: first.get(text) ?? id }))
    .filter(({ id, other }) => czech.get(id) !== czech.get(other))
    .map(({ id, other }) => `${id} is the picture of ${other}, but not so in cs`);
}

/** @param {Map<string, string>} czech */
function typewritten(czech) {
  return [...czech]
    .filter(([, text]) => TYPEWRITER_CHARACTERS.test(text))
    .map(([id]) => `${id} in cs has a hyphen for –, straight quotes for „“, or dots for …`);
}

/** @param {string} id @param {string} english @param {string | undefined} czech */
function unlike(id, english, czech) {
  const en = read(id, 'en', english);
  if (czech === undefined) return en.problems;
  const cs = read(id, 'cs', czech);
  const between = en.shape && cs.shape ? differences(id, en.shape, cs.shape) : [];
  return [...en.problems, ...cs.problems, ...between];
}

/**
 * @param {string} id
 * @param {Language} language
 * @param {string} text
 * @returns {{ problems: string[], shape?: Shape }}
 */
function read(id, language, text) {
  if (text.trim() === '') return { problems: [`${id} is empty in ${language}`] };
  try {
    const shape = shapeOf(parse(text));
    return { shape, problems: shape.plurals.flatMap((plural) => wrongForms(id, language, plural)) };
  } catch (error) {
    return { problems: [`${id} cannot be parsed in ${language}: ${String(error)}`] };
  }
}

/** @param {string} id @param {Language} language @param {Plural} plural */
function wrongForms(id, language, { name, type, forms }) {
  const needed = new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories;
  // Exact forms such as `=0` are extra.
  const given = forms.filter((form) => !form.startsWith('='));
  if (listed(needed) === listed(given)) return [];
  return [`${id}: {${name}} in ${language} needs the forms ${listed(needed)}, and has ${listed(given)}`];
}

/** @param {string} id @param {Shape} en @param {Shape} cs */
function differences(id, en, cs) {
  const names = new Set([...en.placeholders.keys(), ...cs.placeholders.keys()]);
  const kinds = [...names]
    .map((name) => ({ name, one: en.placeholders.get(name), other: cs.placeholders.get(name) }))
    .filter(({ one, other }) => one !== other)
    .map(
      ({ name, one = 'nothing', other = 'nothing' }) => `${id}: {${name}} is ${one} in en, ${other} in cs`,
    );
  const lost = en.plurals
    .filter(({ name }) => cs.placeholders.has(name) && !cs.plurals.some((plural) => plural.name === name))
    .map(({ name }) => `${id}: {${name}} is a plural in en, but not in cs`);
  return [...kinds, ...lost];
}

/**
 * @param {Element[]} elements
 * @param {Shape} [shape] to which theirs is added, however deep they lie
 */
function shapeOf(elements, shape = { placeholders: new Map(), plurals: [] }) {
  for (const element of elements) {
    switch (element.type) {
      case TYPE.argument:
        shape.placeholders.set(element.value, 'a text');
        break;
      case TYPE.number:
        shape.placeholders.set(element.value, 'a number');
        break;
      case TYPE.date:
        shape.placeholders.set(element.value, 'a date');
        break;
      case TYPE.time:
        shape.placeholders.set(element.value, 'a time');
        break;
      case TYPE.tag:
        shape.placeholders.set(element.value, 'a tag');
        shapeOf(element.children, shape);
        break;
      case TYPE.select:
        shape.placeholders.set(element.value, `one of ${listed(Object.keys(element.options))}`);
        for (const { value } of Object.values(element.options)) shapeOf(value, shape);
        break;
      case TYPE.plural:
        shape.placeholders.set(element.value, 'a number');
        shape.plurals.push({
          name: element.value,
          type: element.pluralType ?? 'cardinal',
          forms: Object.keys(element.options),
        });
        for (const { value } of Object.values(element.options)) shapeOf(value, shape);
        break;
      default: // Literal text and the # of a plural ask nothing of anyone.
    }
  }
  return shape;
}

/** @param {string[]} words */
function listed(words) {
  return [...words].sort().join(', ');
}
