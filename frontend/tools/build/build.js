/** Build the site and the bundle with which frontend/tools/build/prerender.js renders the pages. */
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

import webpack from 'webpack';

import configure from '../../webpack.config.js';

await rm('frontend/build/source-maps', { recursive: true, force: true }); // of another build
const compiler = webpack(await configure(undefined, { mode: 'production' }));
const stats = await promisify(compiler.run.bind(compiler))();
if (!stats) throw new Error('Nothing was built');
if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
if (stats.hasWarnings()) console.warn(stats.toString('errors-warnings'));
