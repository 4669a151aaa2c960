import { promisify } from 'node:util';

import webpack from 'webpack';

/**
 * Run webpack once.
 *
 * @param {import('webpack').Configuration[]} configurations
 * @returns {Promise<import('webpack').Stats[]>} of each configuration in turn
 * @throws {Error} with webpack's message if the build fails
 */
export async function compile(...configurations) {
  const compiler = webpack(configurations);
  const stats = await promisify(compiler.run.bind(compiler))();
  if (!stats) throw new Error('Nothing was built');
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
  if (stats.hasWarnings()) console.warn(stats.toString('errors-warnings'));
  return stats.stats;
}
