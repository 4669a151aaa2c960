import { readFileSync } from 'node:fs';

import type { Page, Route } from '@playwright/test';

const { chunks, entrypoints } = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8')) as {
  chunks: Record<string, { js: string[] }>;
  entrypoints: { main: { js: string[] } };
};

/** Return the URLs of a chunk's files; its own is the last, the others are shared. */
function filesOf(name: string): string[] {
  const found = chunks[name]?.js;
  if (!found) throw new Error(`The build has no chunk ${name}`);
  return found;
}

/** Return the URL of a chunk's own file. */
export function chunk(name: string): string {
  return filesOf(name).at(-1) ?? '';
}

/** Return whether a URL is a file of some chunks but not of another one. */
export function isNewTo(other: string, ...names: string[]): (address: URL) => boolean {
  const there = filesOf(other);
  const missing = names.flatMap(filesOf).filter((file) => !there.includes(file));
  return ({ pathname }) => missing.includes(pathname);
}

/** Return whether a URL is the entry point. */
export const isMain = ({ pathname }: URL) => pathname === entrypoints.main.js.at(-1);

/** Requests that are held back until they are released. */
interface HeldRequests {
  requests: Route[];
  release: () => Promise<void>;
}

/** Hold back requests. */
export async function hold(
  page: Page,
  files: string | RegExp | ((address: URL) => boolean),
): Promise<HeldRequests> {
  const requests: Route[] = [];
  let isOver = false;
  await page.route(files, (route) => (isOver ? route.continue() : void requests.push(route)));
  return {
    requests,
    release: async () => {
      isOver = true;
      await Promise.all(requests.map((route) => route.continue()));
    },
  };
}
