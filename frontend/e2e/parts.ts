import { readFileSync } from 'node:fs';

import type { Page, Route } from '@playwright/test';

interface Files {
  js: string[];
}

const { entrypoints, chunks } = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8')) as {
  entrypoints: { main: Files };
  chunks: { 'page-landing': Files; 'part-landing': Files };
};
const first = [...entrypoints.main.js, ...chunks['page-landing'].js];
const part = chunks['part-landing'].js.filter((file) => !first.includes(file));

/** Whether a file is the code of the stretch below the first screen of `/landing`. */
export const isPart = (address: URL) => part.includes(address.pathname);

/** Holds that code back; returns the requests for it, to be continued. */
export async function holdPart(page: Page): Promise<Route[]> {
  const held: Route[] = [];
  await page.route(isPart, (route) => void held.push(route));
  return held;
}
