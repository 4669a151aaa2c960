import { promisify } from 'node:util';

import webpack from 'webpack';

/**
 * Builds with webpack, once.
 *
 * @param {import('webpack').Configuration[]} configurations
 * @returns {Promise<import('webpack').Stats[]>} of each configuration in turn
 * @throws {Error} with what webpack says, when anything could not be built
 */
export async function compile(...configurations) {
  const compiler = webpack(configurations);
  const stats = await promisify(compiler.run.bind(compiler))();
  if (!stats) throw new Error('Nothing was built');
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));
  if (stats.hasWarnings()) console.warn(stats.toString('errors-warnings'));
  return stats.stats;
}
