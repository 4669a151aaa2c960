import { AUDIENCE_MENU, NOT_FOUND_MENU } from '../src/shell/menus';
import { message, PAGES } from './pages';
import { expect, expectAlive, LANGUAGES, test } from './site';

/** What stands in the main part of a page from its beginning to its end: the headings, and each link with its address. */
const CONTENT: Record<string, { headings: string[]; links: [words: string, address: string][] }> = {
  crossroad: {
    headings: ['crossroad.headline'],
    links: [
      ['crossroad.sailor', '/landing-sailors'],
      ['crossroad.company', '/landing-companies'],
      ['crossroad.overview', '/landing'],
    ],
  },
  landing: {
    headings: [
      'landing.title',
      'landingBelow.servicesTitle',
      'landingBelow.network',
      'landingBelow.logbook',
      'landingBelow.discovery',
      'landingBelow.news',
      'landingBelow.featuresTitle',
      'landingBelow.crew',
      'landingBelow.boats',
      'landingBelow.academy',
      'landingBelow.valuesTitle',
      'landingBelow.trust',
      'landingBelow.seamanship',
      'landingBelow.openness',
      'landingBelow.missionTitle',
      'landingBelow.testimonialsTitle',
      'landingBelow.closingTitle',
    ],
    links: [
      ['landing.earlyAccess', '/signup'],
      ['landing.explore', '#services'],
      ['landingBelow.crewLink', '/signup'],
      ['landingBelow.boatsLink', '/marketplace'],
      ['landingBelow.academyLink', '/academy'],
      ['landingBelow.join', '/signup'],
      ['landingBelow.signIn', '/signin'],
    ],
  },
  'landing-sailors': {
    headings: [
      'landingSailors.title',
      'landingSailorsBelow.title',
      'landingSailorsBelow.logbook',
      'landingSailorsBelow.profile',
      'landingSailorsBelow.training',
      'landingSailorsBelow.boats',
      'landingSailorsBelow.crew',
      'landingSailorsBelow.racing',
      'landingSailorsBelow.callTitle',
    ],
    links: [
      ['landingSailors.start', '#features'],
      ['landingSailorsBelow.create', '/newsletter?source=landing-sailors'],
      ['landingSailorsBelow.backHome', '/'],
    ],
  },
  'landing-companies': {
    headings: [
      'landingCompanies.title',
      'landingCompaniesBelow.offeringsTitle',
      'landingCompaniesBelow.trips',
      'landingCompaniesBelow.boats',
      'landingCompaniesBelow.gear',
      'landingCompaniesBelow.crew',
      'landingCompaniesBelow.benefitsTitle',
      'landingCompaniesBelow.audience',
      'landingCompaniesBelow.community',
      'landingCompaniesBelow.visibility',
      'landingCompaniesBelow.advertising',
      'landingCompaniesBelow.advertiseTitle',
    ],
    links: [
      ['landingCompanies.getStarted', '#business'],
      ['landingCompaniesBelow.startAdvertising', '/newsletter?source=landing-companies'],
    ],
  },
  newsletter: { headings: ['newsletter.title'], links: [] },
  'not-found': { headings: ['notFound.title'], links: [] },
};

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  for (const language of LANGUAGES) {
    for (const { path, page: name, titleKey } of PAGES) {
      test(`${path} (${language}) shows its text, title and links`, async ({ page }) => {
        const { headings = [], links = [] } = CONTENT[name] ?? {};
        await page.goto(`${path}?lang=${language}`);
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page).toHaveTitle(message(language, titleKey));
        const shown = page.getByRole('main');
        await expect(shown.getByRole('heading')).toHaveText(headings.map((id) => message(language, id)));
        await expect(shown.getByRole('link')).toContainText(links.map(([id]) => message(language, id)));
        const addresses = await shown
          .getByRole('link')
          .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
        expect(addresses).toEqual(links.map(([, address]) => address));
        await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeVisible();
        await expect(page.getByText('This page needs JavaScript.')).toHaveCount(0);
        await expect(page.getByText('@LAUNCH_YEAR@')).toHaveCount(0);
      });
    }
  }

  for (const { path, page: name } of PAGES) {
    test(`${path} leads to all that its menu does, and has no button that does nothing`, async ({ page }) => {
      const menu = name === 'not-found' ? NOT_FOUND_MENU : AUDIENCE_MENU;
      await page.goto(path);
      for (const { label, to } of menu) {
        const link = page.getByRole('banner').getByRole('link', { name: message('en', label), exact: true });
        await expect(link).toHaveAttribute('href', to);
        await link.click({ trial: true });
      }
      await expect(
        page
          .locator('header button, main button:enabled:not(form[action] button), footer button')
          .filter({ visible: true }),
      ).toHaveCount(0);
    });
  }

  test('the skip link leads to the content', async ({ page }) => {
    await page.goto('/landing');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/landing#content');
  });

  test('the other language is a link away', async ({ page }) => {
    await page.goto('/newsletter');
    await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
    await expect(page).toHaveURL('/newsletter?lang=cs');
    await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  });
});

for (const language of LANGUAGES) {
  for (const { path } of PAGES) {
    // A difference between what was rendered at build time and what the browser renders is an error, which `test` fails on.
    test(`${path} (${language}) comes to life as it stands`, async ({ page }) => {
      await page.goto(`${path}?lang=${language}`);
      await expectAlive(page.locator('main'));
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await expectAlive(page.locator('main section').last().or(page.locator('main')).last());
    });
  }
}

test('a page that differs with its source comes to life as it stands', async ({ page }) => {
  for (const source of ['landing-sailors', 'landing-companies', 'elsewhere']) {
    await page.goto(`/newsletter?source=${source}&utm_source=mail`);
    await expectAlive(page.locator('main'));
    await expect(
      page.getByRole('radio', { name: source === 'landing-companies' ? 'Company' : 'Sailor' }),
    ).toBeChecked();
    const czech = page.getByRole('banner').getByRole('link', { name: 'Čeština' });
    await expect(czech).toHaveAttribute('href', `?source=${source}&utm_source=mail&lang=cs`);
  }
});

for (const [device, viewport] of Object.entries({
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
})) {
  test(`every file that the pages ask for is there, on a ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/static/') && response.status() >= 400) missing.push(response.url());
    });
    for (const { path } of PAGES) {
      await page.goto(path);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.waitForLoadState('networkidle');
    }
    expect(missing).toEqual([]);
  });
}
