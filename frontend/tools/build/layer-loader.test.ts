import { expect, test } from 'vitest';

import layerLoader from './layer-loader.js';

test.each([
  ['ui/Button', 'ui'],
  ['menus/Bell', 'modules'],
  ['pages/landing/Features', 'pages'],
])('%s is in the layer %s', (file, layer) => {
  const styles = layerLoader.call(
    { resourcePath: `/sailing/frontend/src/${file}.module.css` },
    '.part { color: red }\n',
  );
  expect(styles).toBe(`@layer ${layer} {\n.part { color: red }\n}\n`);
});
