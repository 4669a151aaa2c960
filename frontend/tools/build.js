/** Builds the files of the site, and the program that frontend/tools/prerender.js renders its public pages with. */
import configure from '../../webpack.config.js';
import { compile } from './compile.js';

await compile(...(await configure(undefined, { mode: 'production' })));
