import type { Page } from '@playwright/test';

import { hold, isMain } from './chunks';
import { DESKTOP, expect, heading, MOTION, NARROW, open, PHONE, SWEEP, test, watchShifts } from './site';

/** The index of the last of the six cards. */
const LAST = 5;

/** One notch of a mouse wheel, in pixels. */
const NOTCH = 120;

const features = (page: Page) => page.locator('#features');
const strip = (page: Page) => features(page).getByRole('group');
const card = (page: Page, index: number) => strip(page).getByRole('listitem').nth(index);
const dot = (page: Page, index: number) =>
  features(page).getByRole('listitem').getByRole('button').nth(index);
const finalCall = (page: Page) => page.getByRole('link', { name: 'Create Your Free Profile' });

test.use({ viewport: DESKTOP, ...MOTION });

/** Open the page at the features section. */
async function openFeatures(page: Page): Promise<void> {
  await open(page, '/landing-sailors');
  await page.getByRole('link', { name: 'Start Your Journey' }).click();
  await expect(features(page)).toBeFocused();
}

/** Expect all words of a card in the window. */
async function expectWords(page: Page, index: number): Promise<void> {
  for (const text of [card(page, index).getByRole('heading'), card(page, index).getByText(/[.?]$/)])
    await expect(text).toBeInViewport({ ratio: 0.99 });
}

async function expectCard(page: Page, index: number): Promise<void> {
  await expect(dot(page, index)).toHaveAttribute('aria-current', 'true');
  await expect(features(page).locator('[aria-current]')).toHaveCount(1);
  await expectWords(page, index);
}

async function expectPinned(page: Page, pinned: boolean, options = {}): Promise<void> {
  await expect(features(page)).toHaveAttribute('data-pinned', String(pinned), options);
}

/** Turn the wheel until that has an effect: the strip ignores it for half a second after a step. */
async function turnWheel(
  page: Page,
  deltaY: number,
  expectEffect: (options: { timeout: number }) => Promise<void>,
): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, deltaY);
    await expectEffect({ timeout: 1000 });
  }).toPass();
}

async function step(page: Page, index: number, deltaY: number): Promise<void> {
  await turnWheel(page, deltaY, (options) =>
    expect(dot(page, index)).toHaveAttribute('aria-current', 'true', options),
  );
  await expectCard(page, index);
}

const pin = (page: Page, deltaY: number) =>
  turnWheel(page, deltaY, (options) => expectPinned(page, true, options));
const release = (page: Page, deltaY: number) =>
  turnWheel(page, deltaY, (options) => expectPinned(page, false, options));

/** Scroll a strip that is not pinned by most of a card. */
function scrollSideways(page: Page): Promise<void> {
  return strip(page).evaluate((element) => {
    const width = element.querySelector('li')?.offsetWidth ?? 0;
    element.scrollBy({ left: width * 0.8, behavior: 'instant' });
  });
}

test('the pinned strip steps card by card with the wheel and releases at both ends', async ({ page }) => {
  await openFeatures(page);
  await expectPinned(page, true);
  await expectCard(page, 0);
  const readShift = await watchShifts(page);
  const movedWidths = () =>
    strip(page)
      .getByRole('list')
      .evaluate((track) => -parseFloat(getComputedStyle(track).translate) / window.innerWidth);
  const top = () =>
    features(page)
      .locator(':scope > div')
      .evaluate((stage) => stage.getBoundingClientRect().top);
  await page.mouse.move(700, 450);
  await step(page, 1, NOTCH);
  await expect.poll(movedWidths).toBeCloseTo(0.28, 3);
  await expectPinned(page, true);
  expect(await top(), 'the section stands still').toBeCloseTo(0, 0);
  expect(await readShift()).toBeLessThanOrEqual(0.01);

  await dot(page, LAST).click();
  await expectCard(page, LAST);
  await release(page, NOTCH);
  await turnWheel(page, 400, (options) => expect(finalCall(page)).toBeInViewport(options));
  await pin(page, -400);
  await expectCard(page, LAST);
  await step(page, LAST - 1, -NOTCH);
  await dot(page, 0).click();
  await expectCard(page, 0);
  await release(page, -NOTCH);
  await turnWheel(page, -400, (options) => expect(heading(page)).toBeInViewport({ ratio: 1, ...options }));
});

test('a fling stops at the strip, and the space bar scrolls past it', SWEEP, async ({ page }) => {
  await open(page, '/landing-sailors');
  await page.mouse.move(700, 450);
  await page.mouse.wheel(0, 1);
  await expect(strip(page)).toBeAttached();
  await pin(page, 30_000);
  await expectCard(page, 0);
  await step(page, 1, NOTCH);

  await strip(page).focus();
  await expect(async () => {
    await page.keyboard.press('Space');
    await expect(finalCall(page)).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await expectPinned(page, false);
  await expect(dot(page, LAST)).toHaveAttribute('aria-current', 'true');
});

test('no words are cut off in the lowest windows with a pinned strip, in Czech', SWEEP, async ({ page }) => {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { transition: none !important }'); // thirty of them take a quarter of a minute
    document.adoptedStyleSheets = [sheet];
  });
  await open(page, '/landing-sailors?lang=cs');
  await page.locator('a[href="#features"]').click();
  await expectPinned(page, true); // the smooth scrolling has ended
  for (const width of [768, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 600 });
    await page.evaluate(() => new Promise(requestAnimationFrame)); // the strip follows the resize first
    await expectPinned(page, true);
    for (let index = 0; index <= LAST; index += 1) {
      await dot(page, index).dispatchEvent('click');
      await expectCard(page, index);
    }
  }
});

test('the strip scrolls without its script, and keeps its card when the script arrives', async ({ page }) => {
  const scripts = await hold(page, isMain);
  await page.goto('/landing-sailors', { waitUntil: 'commit' });
  await features(page).evaluate((section) => section.scrollIntoView());
  for (let index = 0; index <= LAST; index += 1) {
    if (index > 0) await scrollSideways(page);
    await expectWords(page, index);
  }
  await expect(page.getByRole('button', { name: 'Next feature' })).toBeHidden();
  await scripts.release();
  await expectCard(page, LAST);
  await expectPinned(page, true);
  await page.mouse.move(700, 450);
  await step(page, LAST - 1, -NOTCH);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectCard(page, LAST - 1);
  await expectPinned(page, false);
  await page.emulateMedia({ reducedMotion: null });
  await expectCard(page, LAST - 1);
});

const CAROUSELS = [
  { viewport: { width: 1366, height: 650 }, reducedMotion: 'reduce' },
  { viewport: { width: 1440, height: 500 }, reducedMotion: null }, // too low
  { viewport: PHONE, reducedMotion: null },
] as const;

test('the strip is a carousel, never pinned, where it does not fit', SWEEP, async ({ page }) => {
  /** Expect the current card at its share of the way from the left margin of the page to the right one. */
  const expectCurrent = async (index: number) => {
    await expect(dot(page, index)).toHaveAttribute('aria-current', 'true');
    const offset = () =>
      card(page, index).evaluate((element, share) => {
        const margin = document.getElementById('features-title')?.getBoundingClientRect().left ?? 0;
        const { left, width } = element.getBoundingClientRect();
        const way = document.documentElement.clientWidth - 2 * margin - width;
        return Math.abs(left - margin - share * way);
      }, index / LAST);
    await expect.poll(offset).toBeLessThanOrEqual(1);
  };

  for (const { viewport, reducedMotion } of CAROUSELS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion });
    await openFeatures(page);
    await expect(page.getByRole('heading', { name: 'Six legs, one course' })).toBeInViewport({ ratio: 1 });
    await expectCurrent(0);
    await page.getByRole('button', { name: 'Next feature' }).click();
    await expectCurrent(1);
    await dot(page, LAST).click();
    await expectCurrent(LAST);
    await dot(page, 2).click();
    await expectCurrent(2);
    await scrollSideways(page);
    await expectCurrent(3);
    await expectPinned(page, false);
  }

  await page.setViewportSize(NARROW);
  const box = await dot(page, LAST).boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0), 'a dot for a finger').toBeGreaterThanOrEqual(44);

  await test.step('the wheel scrolls past it with reduced motion', async () => {
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, '/landing-sailors');
    await page.mouse.move(700, 450);
    await turnWheel(page, 700, (options) => expect(finalCall(page)).toBeInViewport(options));
    await expect(dot(page, 0)).toHaveAttribute('aria-current', 'true');
  });
});
