import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import webpack from 'webpack';

/**
 * Writes the manifest from which Django links a page's files: of each entry point and each named
 * chunk its scripts and styles, and the fonts to preload. Drops the empty script that webpack makes
 * for an entry point of nothing but CSS.
 */
export class ManifestPlugin {
  /** @param {{ path: string }} options where the manifest is written */
  constructor({ path }) {
    this.path = path;
  }

  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    const name = 'ManifestPlugin';
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name, stage }, () => {
        for (const entrypoint of compilation.entrypoints.values()) dropEmptyScript(compilation, entrypoint);
      });
    });
    compiler.hooks.afterEmit.tap(name, (compilation) => {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(this.path, `${JSON.stringify(manifestOf(compilation), null, 2)}\n`);
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
  for (const file of [...chunk.files].filter((file) => file.endsWith('.js'))) {
    chunk.files.delete(file);
    compilation.deleteAsset(file);
  }
}

/** @param {import('webpack').Compilation} compilation */
function manifestOf(compilation) {
  const { publicPath } = compilation.outputOptions;
  const addresses = (files, ending) =>
    files
      .filter((file) => file.endsWith(ending) && !file.endsWith(`.hot-update${ending}`))
      .map((file) => `${publicPath}${file}`);
  const assets = (group) => ({
    js: addresses(group.getFiles(), '.js'),
    css: addresses(group.getFiles(), '.css'),
  });
  const groups = (named) =>
    Object.fromEntries([...named].map(([name, group]) => [name, assets(group)]));
  const chunks = [...compilation.namedChunkGroups].filter(([name]) => !compilation.entrypoints.has(name));
  return {
    entrypoints: groups(compilation.entrypoints),
    chunks: groups(chunks.sort(([one], [other]) => one.localeCompare(other))),
    fonts: addresses(Object.keys(compilation.assets).sort(), '.woff2'),
  };
}
