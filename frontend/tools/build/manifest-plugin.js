import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Write the manifest from which Django links a page's files: the scripts and styles of each entry point and of each named
 * chunk, the fonts to preload, and the id of the build.
 */
export class ManifestPlugin {
  /** @param {{ path: string, preload: RegExp }} options the path of the manifest, and the fonts to preload */
  constructor({ path, preload }) {
    this.path = path;
    this.preload = preload;
  }

  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    compiler.hooks.afterEmit.tap('ManifestPlugin', (compilation) => {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(this.path, `${JSON.stringify(createManifest(compilation, this.preload), null, 2)}\n`);
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
