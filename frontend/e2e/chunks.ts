import { readFileSync } from 'node:fs';

import type { Page, Route } from '@playwright/test';

const { entrypoints } = JSON.parse(readFileSync('frontend/build/manifest.json', 'utf8')) as {
  entrypoints: { main: { js: string[] } };
};

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
