import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Write the manifest from which Django links a page's files: the scripts and styles of each entry point and of each named
 * chunk, the fonts to preload, and the id of the build. It stands beside the directory of the files.
 */
export class ManifestPlugin {
  /** @param {{ preload: RegExp }} options the fonts to preload */
  constructor({ preload }) {
    this.preload = preload;
  }

  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    compiler.hooks.afterEmit.tap('ManifestPlugin', (compilation) => {
      const path = join(compiler.outputPath, '../manifest.json');
      // The development server keeps the files in memory.
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${JSON.stringify(createManifest(compilation, this.preload), null, 2)}\n`);
    });
  }
}

/**
 * @param {import('webpack').Compilation} compilation
 * @param {RegExp} preload
 */
function createManifest(compilation, preload) {
  /** @param {string[]} files @param {string} ending */
  const urls = (files, ending) =>
    files
      .filter((file) => file.endsWith(ending) && !file.endsWith(`.hot-update${ending}`))
      .map((file) => `${String(compilation.outputOptions.publicPath)}${file}`);

  /** @param {ReadonlyMap<string, import('webpack').ChunkGroup>} groups */
  const assets = (groups) =>
    Object.fromEntries(
      [...groups].map(([name, group]) => {
        const files = group.getFiles();
        return [name, { js: urls(files, '.js'), css: urls(files, '.css') }];
      }),
    );

  return {
    build: compilation.hash,
    entrypoints: assets(compilation.entrypoints),
    chunks: assets(compilation.namedChunkGroups),
    fonts: urls(Object.keys(compilation.assets).sort(), '.woff2').filter((font) => preload.test(font)),
  };
}
