import { readFileSync } from 'node:fs';

import type { Page, Route } from '@playwright/test';

const { chunks, entrypoints } = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8')) as {
  chunks: Record<string, { js: string[] }>;
  entrypoints: { main: { js: string[] } };
};

/** The addresses of a chunk's files; its own is the last, others may need those before it too. */
function filesOf(name: string): string[] {
  const found = chunks[name]?.js;
  if (!found) throw new Error(`The build has no chunk ${name}`);
  return found;
}

/** The address of the file of a chunk. */
export function chunk(name: string): string {
  return filesOf(name).at(-1) ?? '';
}

/** Whether an address is a file of some chunks that another one does without. */
export function isNewTo(other: string, ...names: string[]): (address: URL) => boolean {
  const there = filesOf(other);
  const missing = names.flatMap(filesOf).filter((file) => !there.includes(file));
  return ({ pathname }) => missing.includes(pathname);
}

/** Whether a file is the program that every page starts with; what it needs comes before it. */
export const isMain = ({ pathname }: URL) => pathname === entrypoints.main.js.at(-1);

/** Whether a file is the code of the stretch below the first screen of `/landing`. */
export const isPart = isNewTo('page-landing', 'part-landing');

/** Files that the browser has asked for, and does not get until they are released. */
interface Held {
  requests: Route[];
  release: () => Promise<void>;
}

/** Holds files back. */
export async function hold(page: Page, files: string | RegExp | ((address: URL) => boolean)): Promise<Held> {
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
