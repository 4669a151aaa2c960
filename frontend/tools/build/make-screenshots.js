/**
 * Take the screenshots of the README from a running site.
 *
 * `CHROMIUM=$(scripts/chromium) npm run screenshots [url]` writes docs/screenshots/<page>.webp.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chromium } from '@playwright/test';
import sharp from 'sharp';

const PATHS = { crossroad: '/', marketplace: '/marketplace' };
const SIZE = { width: 1440, height: 900 };
const WIDTH = 1200;

const url = process.argv[2] ?? 'http://127.0.0.1:8000';
const folder = fileURLToPath(new URL('../../../docs/screenshots/', import.meta.url));
const { CHROMIUM: executablePath } = process.env;

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
// Reduced motion shows the poster in place of the video, so that every run gives the same picture.
const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce' });
for (const [name, path] of Object.entries(PATHS)) {
  const response = await page.goto(`${url}${path}`);
  if (!response?.ok()) throw new Error(`${path} answered ${response?.status()}`);
  await page.waitForLoadState('networkidle');
  const png = await page.screenshot();
  const { size } = await sharp(png).resize(WIDTH).webp({ quality: 78 }).toFile(`${folder}${name}.webp`);
  console.log(`${name}.webp: ${Math.round(size / 1000)} KB`);
}
await browser.close();
