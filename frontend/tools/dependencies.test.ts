import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { dependencies } from '../../package.json';

const read = (path: string) => readFileSync(path, 'utf8');

/** What builds the site: webpack's configuration with the loaders and plug-ins that it names, and the two programs. */
const tools = [
  'webpack.config.js',
  'babel.config.js',
  'frontend/tools/build.js',
  'frontend/tools/compile.js',
  'frontend/tools/prerender.js',
  ...(read('webpack.config.js').match(/frontend\/tools\/[\w-]+\.js/g) ?? []),
];

const sources = readdirSync('frontend/src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\.d\.ts$|^test\//.test(path))
  .map((path) => `frontend/src/${path}`);

/** Packages that a file names: those it imports, and the loaders and presets that webpack and Babel find for it. */
function packagesOf(path: string): string[] {
  const code = read(path).replace(/import type [^;]+;|^\s*(\/?\*|\/\/).*$/gm, '');
  return [
    ...code.matchAll(/(?:from |import |import\()'([^.'][^']*)'/g),
    ...code.matchAll(/'((?:@babel\/preset|[\w-]+-loader)[\w-]*)'/g),
  ]
    .map(([, named = '']) => /^(@[^/]+\/)?[^/]+/.exec(named)?.[0] ?? '')
    .filter((named) => !named.startsWith('node:') && !named.startsWith('@media/'));
}

// `make run` installs nothing else.
test('what builds the site is a dependency', () => {
  const named = new Set([...tools, ...sources].flatMap(packagesOf));
  expect([...named]).toEqual(
    expect.arrayContaining(['react', 'webpack', 'babel-loader', '@babel/preset-env']),
  );
  named.delete('@pmmmwh/react-refresh-webpack-plugin'); // for `make dev`, which installs everything
  expect([...named].filter((name) => !(name in dependencies))).toEqual([]);
});
