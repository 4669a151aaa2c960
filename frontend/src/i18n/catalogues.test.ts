import { expect, test } from 'vitest';

import { loadCatalogue, getLoadedCatalogue, loadLanguage } from './catalogues';

test('a language includes what comes into use while it is loading', async () => {
  const loading = loadLanguage('cs');
  await loadCatalogue('legal', 'en');
  await loading;
  expect(getLoadedCatalogue('legal', 'cs')).toBeDefined();
});
