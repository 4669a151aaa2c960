import { readFileSync } from 'node:fs';

/** The address of the file of a chunk. */
export function chunk(name: string): string {
  const manifest = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8')) as {
    chunks: Record<string, { js: string[] }>;
  };
  const address = manifest.chunks[name]?.js.at(-1);
  if (!address) throw new Error(`The build has no chunk ${name}`);
  return address;
}
