import type { Locator, Page } from '@playwright/test';

import { hold } from './chunks';
import { expect, expectAlive, LANGUAGES, test } from './site';
import { UNTOUCHED } from './untouched';

/** The last of the six cards, from 0. */
const LAST = 5;

/** A notch of a mouse wheel. */
const NOTCH = 120;

const features = (page: Page) => page.locator('#features');
const strip = (page: Page) => features(page).getByRole('group');
const cardOf = (page: Page, index: number) => strip(page).getByRole('listitem').nth(index);
const dot = (page: Page, index: number) =>
  features(page).getByRole('listitem').getByRole('button').nth(index);

/** The card shows: its dot is the current one, and all its words stand in the window. */
async function expectCard(page: Page, index: number): Promise<void> {
  await expect(dot(page, index)).toHaveAttribute('aria-current', 'true');
  await expect(features(page).locator('[aria-current]')).toHaveCount(1);
  await expectWords(page, index);
}

/** All words of a card stand in the window. */
async function expectWords(page: Page, index: number): Promise<void> {
  const card = cardOf(page, index);
  for (const words of [card.getByRole('heading'), card.getByText(/[.?]$/)])
    await expect(words).toBeInViewport({ ratio: 0.99 });
  await expect.poll(() => clipped(card.locator('h3, p:not([aria-hidden])'))).toEqual([]);
}

/** Of these words, those of which a box between them and the section, such as their card, cuts something off. */
function clipped(words: Locator): Promise<string[]> {
  return words.evaluateAll((elements) => {
    const boxes = (element: Element): DOMRect[] => {
      const parent = element.parentElement;
      if (!parent || parent.tagName === 'SECTION') return [];
      const clips = getComputedStyle(parent).overflowY !== 'visible';
      return [...(clips ? [parent.getBoundingClientRect()] : []), ...boxes(parent)];
    };
    const isClipped = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].some((line) =>
        boxes(element).some(
          (box) =>
            line.top < box.top - 1 ||
            line.bottom > box.bottom + 1 ||
            line.left < box.left - 1 ||
            line.right > box.right + 1,
        ),
      );
    };
    return elements.filter(isClipped).map(({ textContent }) => textContent);
  });
}

async function expectPinned(page: Page, pinned: boolean): Promise<void> {
  await expect(features(page)).toHaveAttribute('data-pinned', String(pinned));
}

/** How far the strip has moved, in widths of the window. */
function moved(page: Page): Promise<number> {
  return strip(page)
    .getByRole('list')
    .evaluate((track) => -parseFloat(getComputedStyle(track).translate) / window.innerWidth);
}

/** Turns the wheel until that has come to something; a strip that is locked takes no notice of it. */
async function turnWheel(
  page: Page,
  deltaY: number,
  expected: (options: { timeout: number }) => Promise<void>,
) {
  await expect(async () => {
    await page.mouse.wheel(0, deltaY);
    await expected({ timeout: 1000 });
  }).toPass();
}

async function stepTo(page: Page, index: number, deltaY: number): Promise<void> {
  await turnWheel(page, deltaY, (options) =>
    expect(dot(page, index)).toHaveAttribute('aria-current', 'true', options),
  );
  await expectCard(page, index);
}

function release(page: Page, deltaY: number): Promise<void> {
  return turnWheel(page, deltaY, (options) =>
    expect(features(page)).toHaveAttribute('data-pinned', 'false', options),
  );
}

/** Scrolls by the wheel from the top of the page until the strip is pinned. */
async function sailToStrip(page: Page): Promise<void> {
  await page.goto('/landing-sailors');
  await page.mouse.move(700, 450);
  await expect(features(page)).toBeAttached();
  await turnWheel(page, 400, (options) =>
    expect(features(page)).toHaveAttribute('data-pinned', 'true', options),
  );
}

test.use({ viewport: { width: 1440, height: 900 } });

test("'Start Your Journey' scrolls to the features section, which is pinned there", async ({ page }) => {
  await page.goto('/landing-sailors');
  await page.getByRole('link', { name: 'Start Your Journey' }).click();
  await expect(features(page)).toBeFocused();
  await expectPinned(page, true);
  await expectCard(page, 0);
});

test('each movement of the wheel steps one card, by 28 % of the width of the window', async ({ page }) => {
  await sailToStrip(page);
  await expectCard(page, 0);
  for (let index = 1; index <= LAST; index += 1) {
    await stepTo(page, index, NOTCH);
    await expect.poll(() => moved(page)).toBeCloseTo(0.28 * index, 3);
    await expectPinned(page, true);
  }
  for (let index = LAST - 1; index >= 0; index -= 1) {
    await stepTo(page, index, -NOTCH);
    await expect.poll(() => moved(page)).toBeCloseTo(0.28 * index, 3);
  }
});

test('the section stands still while it is pinned', async ({ page }) => {
  await sailToStrip(page);
  const top = () =>
    features(page)
      .locator(':scope > div')
      .evaluate((stage) => stage.getBoundingClientRect().top);
  await stepTo(page, 1, NOTCH);
  expect(await top()).toBeCloseTo(0, 0);
  await stepTo(page, 2, NOTCH);
  expect(await top()).toBeCloseTo(0, 0);
});

test('a step of the strip is no shift of the layout', async ({ page }) => {
  await sailToStrip(page);
  await page.evaluate(() => {
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        const { dataset } = document.documentElement;
        dataset.shift = String(Number(dataset.shift ?? 0) + shift.value);
      }
    }).observe({ type: 'layout-shift' });
  });
  await stepTo(page, 1, NOTCH);
  await stepTo(page, 2, NOTCH);
  await stepTo(page, 1, -NOTCH);
  const shift = await page.locator('html').getAttribute('data-shift');
  expect(Number(shift)).toBeLessThanOrEqual(0.01);
});

test('the pin releases at the last card, and is there again at it when the wheel comes back', async ({
  page,
}) => {
  await sailToStrip(page);
  for (let index = 1; index <= LAST; index += 1) await stepTo(page, index, NOTCH);
  await release(page, NOTCH);
  const call = page.getByRole('link', { name: 'Create Your Free Profile' });
  await turnWheel(page, 400, (options) => expect(call).toBeInViewport(options));
  await turnWheel(page, -400, (options) =>
    expect(features(page)).toHaveAttribute('data-pinned', 'true', options),
  );
  await expectCard(page, LAST);
  await stepTo(page, LAST - 1, -NOTCH);
});

test('the pin releases at the first card', async ({ page }) => {
  await sailToStrip(page);
  await release(page, -NOTCH);
  await turnWheel(page, -400, (options) =>
    expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1, ...options }),
  );
});

test('a fling of the wheel does not run past the strip', async ({ page }) => {
  await page.goto('/landing-sailors');
  await page.mouse.move(700, 450);
  await page.mouse.wheel(0, 1);
  await expectAlive(features(page));
  await turnWheel(page, 30_000, (options) =>
    expect(features(page)).toHaveAttribute('data-pinned', 'true', options),
  );
  await expectCard(page, 0);
});

test("a trackpad's momentum is one step", async ({ page }) => {
  await sailToStrip(page);
  await stepTo(page, 1, NOTCH);
  await stepTo(page, 2, NOTCH);
  // Every frame of a second's push, with the time of each as the browser would give it.
  await features(page).evaluate((section) => {
    const start = performance.now() + 2000;
    for (let frame = 0; frame < 60; frame += 1) {
      const event = new WheelEvent('wheel', {
        deltaY: Math.max(1, Math.round(90 * 0.93 ** frame)),
        bubbles: true,
        cancelable: true,
      });
      Object.defineProperty(event, 'timeStamp', { value: start + frame * 16 });
      section.dispatchEvent(event);
    }
  });
  await expectCard(page, 3);
});

test('the wheel zooms with Ctrl, and steps nothing', async ({ page }) => {
  await sailToStrip(page);
  await stepTo(page, 1, NOTCH);
  const isFree = await features(page).evaluate((section) =>
    section.dispatchEvent(
      new WheelEvent('wheel', { deltaY: 120, ctrlKey: true, bubbles: true, cancelable: true }),
    ),
  );
  expect(isFree).toBe(true);
  await expectCard(page, 1);
});

test('the dots and the buttons show any card', async ({ page }) => {
  await sailToStrip(page);
  await dot(page, 4).click();
  await expectCard(page, 4);
  await page.getByRole('button', { name: 'Next feature' }).click();
  await expectCard(page, 5);
  await page.getByRole('button', { name: 'Previous feature' }).click();
  await expectCard(page, 4);
  await stepTo(page, 5, NOTCH);
});

test('by keyboard the strip is one stop, steps by the arrows, and holds nobody up', async ({ page }) => {
  await page.goto('/landing-sailors');
  await page.getByRole('link', { name: 'Start Your Journey' }).press('Enter');
  await expect(features(page)).toBeFocused();
  await expectPinned(page, true);
  await page.keyboard.press('Tab');
  await expect(strip(page)).toBeFocused();
  for (const index of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    await expectCard(page, index);
  }
  await page.keyboard.press('ArrowLeft');
  await expectCard(page, 2);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Previous feature' })).toBeFocused();
  await page.keyboard.press('End');
  await expectPinned(page, false);
  await expect(page.getByRole('contentinfo')).toBeInViewport();
});

test('the space bar scrolls through the strip', async ({ page }) => {
  await page.goto('/landing-sailors');
  await page.getByRole('link', { name: 'Start Your Journey' }).click();
  await expectPinned(page, true);
  await expect(async () => {
    await page.keyboard.press('Space');
    await expect(page.getByRole('link', { name: 'Create Your Free Profile' })).toBeInViewport({
      timeout: 1000,
    });
  }).toPass();
});

/** The lowest windows in which the strip is pinned, from the narrowest to a wide one. */
const LOWEST = [768, 1024, 1280, 1440, 1920].map((width) => ({ width, height: 720 }));

for (const language of LANGUAGES) {
  test(`no words are cut off in the lowest windows in which the strip is pinned (${language})`, async ({
    page,
  }) => {
    await page.goto(`/landing-sailors?lang=${language}`);
    // At once instead of step by step: sixty times a transition is half a minute.
    await page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync('* { transition: none !important }');
      document.adoptedStyleSheets = [still];
    });
    await page.locator('a[href="#features"]').click();
    await expect(features(page)).toHaveAttribute('data-hydrated', 'true');
    for (const size of LOWEST) {
      await page.setViewportSize(size);
      await expectPinned(page, true);
      for (let index = 0; index <= LAST; index += 1) {
        await dot(page, index).dispatchEvent('click');
        await expectCard(page, index);
      }
    }
  });
}

test.describe('before its script', UNTOUCHED, () => {
  /** Scrolls the strip sideways by the browser's own means to each card in turn. */
  async function scrollThrough(page: Page, last: number): Promise<void> {
    await features(page).evaluate((section) => section.scrollIntoView());
    await expect(features(page)).toHaveAttribute('data-hydrated', 'false');
    for (let index = 0; index <= last; index += 1) {
      if (index > 0) {
        await strip(page).evaluate((element) => {
          const [card] = element.getElementsByTagName('li');
          element.scrollBy({ left: (card?.offsetWidth ?? 0) * 0.8, behavior: 'instant' });
        });
      }
      await expectWords(page, index);
    }
  }

  test('the strip scrolls by itself, and comes to life at the card that shows', async ({ page }) => {
    await page.goto('/landing-sailors');
    await expectAlive(page.getByRole('heading', { level: 1 }));
    const scripts = await hold(page, '**/*.js');
    await scrollThrough(page, 3);
    await expect(page.getByRole('button', { name: 'Next feature' })).toBeHidden();
    await scripts.release();
    await expect(features(page)).toHaveAttribute('data-hydrated', 'true');
    await expectCard(page, 3);
    await expectPinned(page, true);
    await stepTo(page, 4, NOTCH);
  });

  test('all of the strip can be reached when none ever comes', async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/landing-sailors');
    await scrollThrough(page, LAST);
  });
});

const CAROUSELS = {
  'who asked for less motion': { contextOptions: { reducedMotion: 'reduce' } },
  'a low window': { viewport: { width: 1440, height: 500 } },
  'a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

for (const [who, options] of Object.entries(CAROUSELS)) {
  test.describe(`for ${who}`, () => {
    test.use(options);

    /** How far the middle of a card is from the middle of the window, in pixels. */
    const distance = (page: Page, index: number) =>
      cardOf(page, index).evaluate((card) => {
        const { left, width } = card.getBoundingClientRect();
        return Math.round(Math.abs(left + width / 2 - document.documentElement.clientWidth / 2));
      });

    test('the strip is never pinned, and a carousel', async ({ page }) => {
      await page.goto('/landing-sailors');
      await page.getByRole('link', { name: 'Start Your Journey' }).click();
      await expect(features(page)).toBeFocused();
      await expect(page.getByRole('heading', { name: 'Six legs, one course' })).toBeInViewport({ ratio: 1 });
      await expectPinned(page, false);
      for (let index = 1; index <= LAST; index += 1) {
        await page.getByRole('button', { name: 'Next feature' }).click();
        await expect(dot(page, index)).toHaveAttribute('aria-current', 'true');
        await expect.poll(() => distance(page, index)).toBeLessThanOrEqual(1);
      }
      await dot(page, 2).click();
      await expect.poll(() => distance(page, 2)).toBeLessThanOrEqual(1);
      // Sideways by a finger or a trackpad: the browser's own scrolling, which comes to rest at a card.
      await strip(page).evaluate((element) => {
        const [card] = element.getElementsByTagName('li');
        element.scrollBy({ left: (card?.offsetWidth ?? 0) * 0.8, behavior: 'instant' });
      });
      await expect(dot(page, 3)).toHaveAttribute('aria-current', 'true');
      await expect.poll(() => distance(page, 3)).toBeLessThanOrEqual(1);
      await expectPinned(page, false);
    });
  });
}

for (const width of [320, 390]) {
  test(`each dot has room for a finger at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/landing-sailors');
    await page.getByRole('link', { name: 'Start Your Journey' }).click();
    const boxes = await Promise.all(
      Array.from({ length: LAST + 1 }, (_, index) => dot(page, index).boundingBox()),
    );
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  });
}

test.describe('for who asked for less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the wheel scrolls the page on over the strip', async ({ page }) => {
    await page.goto('/landing-sailors');
    await page.mouse.move(700, 450);
    await turnWheel(page, 700, (options) =>
      expect(page.getByRole('link', { name: 'Create Your Free Profile' })).toBeInViewport(options),
    );
    await expect(dot(page, 0)).toHaveAttribute('aria-current', 'true');
  });
});

test('the final call leads to the newsletter as a sailor who came from here', async ({ page }) => {
  await page.goto('/landing-sailors');
  const call = page.getByRole('link', { name: 'Create Your Free Profile' });
  await call.scrollIntoViewIfNeeded();
  await expectAlive(call);
  await call.click();
  await expect(page).toHaveURL('/newsletter?source=landing-sailors');
  await page.goBack();
  await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});
