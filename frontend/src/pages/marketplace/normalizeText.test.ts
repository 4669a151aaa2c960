import { expect, test } from 'vitest';

import { normalizeText } from './normalizeText';

test.each([
  ['BORA', 'bora'],
  ['Šibenik', 'sibenik'],
  ['Dvořák', 'dvorak'],
  ['João Marques', 'joao marques'],
  ['Søren', 'soren'],
  ['Łódź', 'lodz'],
  ['Straße', 'strasse'],
  ['Ærø', 'aero'],
  ['Đakovo', 'dakovo'],
  ['İzmir', 'izmir'],
  // The same letter precomposed and decomposed.
  ['Malmö', 'malmo'],
  ['Malmo\u0308', 'malmo'],
  ['  two   words ', 'two words'],
])('%j is normalised to %j', (text, normalized) => {
  expect(normalizeText(text)).toBe(normalized);
});
