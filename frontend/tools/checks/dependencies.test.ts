import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { dependencies } from '../../../package.json';

const read = (path: string) => readFileSync(path, 'utf8');

/** The programs of the build: webpack's configuration, the loaders and plugins that it names, and two scripts. */
const tools = [
  'webpack.config.js',
  'babel.config.js',
  'frontend/tools/build/build.js',
  'frontend/tools/build/prerender.js',
  ...(read('webpack.config.js').match(/frontend\/tools\/[\w-]+\.js/g) ?? []),
];

const sources = readdirSync('frontend/src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(tsx?|css)$/.test(path) && !/\.test\.|\.d\.ts$|^test\//.test(path))
  .map((path) => `frontend/src/${path}`);

const codeOf = (path: string) => read(path).replace(/import type [^;]+;|^\s*(\/?\*|\/\/).*$/gm, '');

/** Return files of this project with all that they import. */
function withImports(paths: string[]): Set<string> {
  const found = new Set(paths);
  for (const path of found)
    for (const [, named = ''] of codeOf(path).matchAll(/(?:from |import |import\()'(\.[^']+\.js)'/g))
      found.add(join(dirname(path), named));
  return found;
}

/**
 * Return the packages that a file needs: those that it imports, the loaders and presets that webpack and Babel load by name,
 * and the optional one of the CSS minimizer.
 */
function packagesOf(path: string): string[] {
  const code = codeOf(path);
  return [
    ...code.matchAll(/(?:from |import |import\()'([^.'][^']*)'/g),
    ...code.matchAll(/'((?:@babel\/preset|[\w-]+-loader)[\w-]*)'/g),
    ...code.matchAll(/url\(['"]?~?((?:@[\w-]+\/)?[\w-]+)\//g),
    ...code.matchAll(/\.(lightningcss)Minify/gi),
  ]
    .map(([, named = '']) => /^(@[^/]+\/)?[^/]+/.exec(named)?.[0].toLowerCase() ?? '')
    .filter((named) => !named.startsWith('node:') && !named.startsWith('@media/'));
}

// `make run` installs nothing else.
test('every package of the build is a production dependency', () => {
  const named = new Set([...withImports(tools), ...sources].flatMap(packagesOf));
  expect([...named]).toEqual(
    expect.arrayContaining([
      'react',
      'webpack',
      'babel-loader',
      '@babel/preset-env',
      'lightningcss',
      '@fontsource-variable/montserrat',
    ]),
  );
  named.delete('@pmmmwh/react-refresh-webpack-plugin'); // for `make dev`, which installs everything
  expect([...named].filter((name) => !(name in dependencies))).toEqual([]);
});
