/** Letters with a stroke or joined of two, which Unicode does not take apart into a letter and its mark. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
};

/** A text without regard to case, accents and double spaces, as it is compared. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[æðđıłøœßþ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Some texts as one that is searched: what is found lies in one of them, for none of them has a line break.
 *
 * @returns what `fold` makes of each, a line each
 */
export function searchable(...texts: readonly string[]): string {
  return texts.map(fold).join('\n');
}
