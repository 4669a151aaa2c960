import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import webpack from 'webpack';

const NAME = 'ManifestPlugin';

/**
 * Write the manifest from which Django links a page's files: the scripts and styles of each entry point and of each named
 * chunk, the fonts to preload, and the id of the build.
 *
 * Removes the empty script that webpack makes for an entry point of style sheets.
 */
export class ManifestPlugin {
  /** @param {{ path: string, preload: RegExp }} options the path of the manifest, and the fonts to preload */
  constructor({ path, preload }) {
    this.path = path;
    this.preload = preload;
  }

  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
        for (const entrypoint of compilation.entrypoints.values()) dropEmptyScript(compilation, entrypoint);
      });
    });
    compiler.hooks.afterEmit.tap(NAME, (compilation) => {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(this.path, `${JSON.stringify(manifestOf(compilation, this.preload), null, 2)}\n`);
    });
  }
}

/**
 * @param {import('webpack').Compilation} compilation
 * @param {import('webpack').Entrypoint} entrypoint
 */
function dropEmptyScript(compilation, entrypoint) {
  const chunk = entrypoint.getEntrypointChunk();
  const modules = [...compilation.chunkGraph.getChunkEntryModulesIterable(chunk)];
  if (!modules.every((module) => module.nameForCondition()?.endsWith('.css'))) return;
  for (const file of [...chunk.files].filter((name) => name.endsWith('.js'))) {
    chunk.files.delete(file);
    compilation.deleteAsset(file);
  }
}

/**
 * @param {import('webpack').Compilation} compilation
 * @param {RegExp} preload
 */
function manifestOf(compilation, preload) {
  const { publicPath } = compilation.outputOptions;

  /** @param {string[]} files @param {string} ending */
  const addresses = (files, ending) =>
    files
      .filter((file) => file.endsWith(ending) && !file.endsWith(`.hot-update${ending}`))
      .map((file) => `${String(publicPath)}${file}`);

  /** @param {[string, import('webpack').ChunkGroup][]} groups */
  const assets = (groups) =>
    Object.fromEntries(
      groups
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([name, group]) => {
          const files = group.getFiles();
          return [name, { js: addresses(files, '.js'), css: addresses(files, '.css') }];
        }),
    );

  const chunks = [...compilation.namedChunkGroups].filter(([name]) => !compilation.entrypoints.has(name));
  return {
    build: compilation.hash,
    entrypoints: assets([...compilation.entrypoints]),
    chunks: assets(chunks),
    fonts: addresses(Object.keys(compilation.assets).sort(), '.woff2').filter((font) => preload.test(font)),
  };
}
