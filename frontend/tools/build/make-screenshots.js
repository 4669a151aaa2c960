/**
 * Take the screenshots of the docs from a running site.
 *
 * `CHROMIUM=$(scripts/chromium) npm run screenshots [url]` writes docs/screenshots/<page>.webp. With
 * ADMIN_EMAIL and ADMIN_PASSWORD, and the ids of a draft, of a sent campaign and of a draft with problems
 * (`npm run screenshots url 1 2 3`), it takes those of docs/campaigns.md too.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';
import sharp from 'sharp';

const PATHS = { crossroad: '/', marketplace: '/marketplace' };
const SIZE = { width: 1440, height: 900 };
const WIDTH = 1200;

const [url = 'http://127.0.0.1:8000', draft, sent, flawed] = process.argv.slice(2);
const CAMPAIGNS = '/admin/campaigns/campaign';
const ADMIN_PATHS = {
  ...(draft && {
    'campaign-write': `${CAMPAIGNS}/${draft}/change/`,
    'campaign-send': `${CAMPAIGNS}/${draft}/send/`,
  }),
  ...(flawed && { 'campaign-checks': `${CAMPAIGNS}/${flawed}/change/#checks-heading` }),
  ...(sent && { 'campaign-results': `${CAMPAIGNS}/${sent}/results/` }),
};
const folder = fileURLToPath(new URL('../../../docs/screenshots/', import.meta.url));
const { CHROMIUM: executablePath, ADMIN_EMAIL, ADMIN_PASSWORD } = process.env;

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
// Reduced motion shows the poster in place of the video, so that every run gives the same picture.
const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
if (ADMIN_EMAIL && ADMIN_PASSWORD) {
  await page.goto(`${url}/admin/`);
  await page.locator('#id_username').fill(ADMIN_EMAIL);
  await page.locator('#id_password').fill(ADMIN_PASSWORD);
  await page.locator('#id_password').press('Enter');
  await page.waitForURL(`${url}/admin/`);
}
for (const [name, path] of Object.entries({ ...PATHS, ...ADMIN_PATHS })) {
  const response = await page.goto(`${url}${path}`);
  if (!response?.ok()) throw new Error(`${path} answered ${response?.status()}`);
  await page.waitForLoadState('networkidle');
  const png = await page.screenshot();
  const { size } = await sharp(png).resize(WIDTH).webp({ quality: 78 }).toFile(`${folder}${name}.webp`);
  console.log(`${name}.webp: ${Math.round(size / 1000)} KB`);
}
await browser.close();
