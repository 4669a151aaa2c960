/** Build the site and the bundle with which frontend/tools/build/prerender.js renders the pages. */
import { rm } from 'node:fs/promises';

import configure from '../../webpack.config.js';
import { compile } from './compile.js';

await rm('frontend/build/source-maps', { recursive: true, force: true }); // of another build
await compile(...(await configure(undefined, { mode: 'production' })));
