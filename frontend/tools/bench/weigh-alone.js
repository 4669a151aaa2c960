/**
 * Weighs the JavaScript before a public page is interactive, and that of React, react-dom and react-router alone
 * (frontend/tools/alone), built just as the site is. Prints rows for docs/performance.md; exits with 1 when a page has
 * more than the bar, unless it is called with --smoke.
 *
 * Sizes are the same in every run: there are no rounds.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import configure from '../../../webpack.config.js';
import { compile } from '../build/compile.js';
import { gzipped, weigh } from '../checks/first-load.js';
import { ManifestPlugin } from '../build/manifest-plugin.js';

const BAR = 1.2;
const TARGET = fileURLToPath(new URL('../../../.cache/alone', import.meta.url));

const [config] = await configure(undefined, { mode: 'production' });
if (!config) throw new Error('webpack.config.js has no build for browsers');
const [stats] = await compile({
  ...config,
  entry: { main: './frontend/tools/bench/alone/index.tsx' },
  output: { ...config.output, path: TARGET },
  plugins: (config.plugins ?? []).filter((plugin) => !(plugin instanceof ManifestPlugin)),
});
const files = stats?.compilation.entrypoints.get('main')?.getFiles() ?? [];
const sizes = files.map(async (file) => gzipped(await readFile(`${TARGET}/${file}`)));
const alone = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);

const { pages } = await weigh();
console.log(
  '| what | ours | alone | unit | ratio | bar | kept |\n| --- | --- | --- | --- | --- | --- | --- |',
);
for (const { page, language, js } of pages.filter(({ isPublic }) => isPublic)) {
  const isKept = js / alone <= BAR;
  if (!isKept && !process.argv.includes('--smoke')) process.exitCode = 1;
  const cells = [
    `JavaScript of ${page}, ${language}`,
    js.toFixed(1),
    alone.toFixed(1),
    'KB',
    (js / alone).toFixed(3),
    `at most ${BAR}`,
    isKept ? 'yes' : 'NO',
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
