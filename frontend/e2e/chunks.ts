import { readFileSync } from 'node:fs';

import type { Page, Route } from '@playwright/test';

interface Assets {
  js: string[];
  css: string[];
}

const { entrypoints, chunks } = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8')) as {
  entrypoints: { main: Assets };
  chunks: Record<string, Assets>;
};

/** Return whether a URL is the entry point. */
export const isMain = ({ pathname }: URL) => pathname === entrypoints.main.js.at(-1);

/** Return the own script of a chunk, and its style sheet if it has one of its own. */
export function getFiles(name: string): string[] {
  const { js, css } = chunks[name] ?? { js: [], css: [] };
  const own = [js.at(-1) ?? '', css.at(-1) ?? ''];
  return own.filter((file) => file && !entrypoints.main.css.includes(file));
}

/** Return a function that says whether a URL is the own script of a chunk, by its `webpackChunkName`. */
export function isChunk(name: string | RegExp): (address: URL) => boolean {
  const named = Object.entries(chunks).filter(([chunk]) => chunk.match(name)?.[0] === chunk);
  if (named.length === 0) throw new Error(`The build has no chunk ${name}`);
  const scripts = new Set(named.map(([, { js }]) => js.at(-1)));
  return ({ pathname }) => scripts.has(pathname);
}

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
