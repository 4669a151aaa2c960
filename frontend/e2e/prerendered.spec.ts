import { HELP_PATHS, message, PAGES } from './pages';
import { expect, LANGUAGES, SWEEP, test, waitForHydration } from './site';

/** The headings and links in the main part of each page, in order. */
const CONTENT: Record<string, { headings: string[]; links: [id: string, href: string][] }> = {
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
      ['navigation.joinTheCrew', '/signup'],
      ['navigation.signIn', '/signin'],
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
  newsletter: {
    headings: ['newsletter.title'],
    links: [
      ['forms.termsOfUse', '#terms'],
      ['forms.privacyNotice', '#privacy'],
    ],
  },
  'not-found': { headings: ['notFound.title'], links: [] },
};

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const language of LANGUAGES) {
    const details = language === 'en' ? SWEEP : {};
    test(
      `each page shows its text, and no button that does nothing (${language})`,
      details,
      async ({ page }) => {
        for (const { path, page: name, head } of PAGES) {
          await test.step(path, async () => {
            const { headings = [], links = [] } = CONTENT[name] ?? {};
            await page.goto(`${path}?lang=${language}`);
            await expect(page.locator('html')).toHaveAttribute('lang', language);
            await expect(page).toHaveTitle(message(language, `${head}Title`));
            const main = page.getByRole('main');
            await expect(main.getByRole('heading')).toHaveText(headings.map((id) => message(language, id)));
            await expect(main.getByRole('link')).toContainText(links.map(([id]) => message(language, id)));
            const addresses = await main
              .getByRole('link')
              .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
            expect(addresses).toEqual(links.map(([, address]) => address));
            await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeVisible();
            await expect(page.getByText('This page needs JavaScript.')).toHaveCount(0);
            await expect(page.getByText('@LAUNCH_YEAR@')).toHaveCount(0);
            await expect(
              page
                .locator('header button, main button:enabled:not(form[action] button), footer button')
                .filter({ visible: true }),
            ).toHaveCount(0);
          });
        }
      },
    );
  }

  test('the 404 page helps those who followed a link of the site', SWEEP, async ({ page }) => {
    for (const path of HELP_PATHS) {
      expect((await page.goto(`${path}?lang=cs`))?.status()).toBe(404);
      const main = page.getByRole('main');
      await expect(main.getByRole('heading', { level: 1 })).toHaveText(message('cs', 'notFound.title'));
      await expect(main.getByRole('heading', { level: 2 })).toBeVisible();
      await main.getByRole('link').click({ trial: true });
      await expect(page.getByText('@OPERATOR')).toHaveCount(0);
    }
  });

  test('the links to the legal documents lead to a note with their addresses', async ({ page }) => {
    await page.goto('/newsletter');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
    await expect(page.locator('#privacy')).toBeInViewport();
    await page.getByRole('link', { name: 'Privacy notice', exact: true }).click();
    await expect(page.getByRole('main')).toContainText('hello@sailing.example');
  });

  test(
    'the skip link leads to the content, and the other language is a link away',
    SWEEP,
    async ({ page }) => {
      await page.goto('/newsletter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/newsletter#content');
      await page.getByRole('banner').getByRole('link', { name: 'Čeština' }).click();
      await expect(page).toHaveURL('/newsletter?lang=cs');
      await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
    },
  );
});

test('a page that differs with its source hydrates without a mismatch', async ({ page }) => {
  for (const source of ['landing-companies', 'elsewhere']) {
    await page.goto(`/newsletter?source=${source}&utm_source=mail`);
    await waitForHydration(page);
    await expect(
      page.getByRole('radio', { name: source === 'landing-companies' ? 'Company' : 'Sailor' }),
    ).toBeChecked();
    const czech = page.getByRole('banner').getByRole('link', { name: 'Čeština' });
    await expect(czech).toHaveAttribute('href', `?source=${source}&utm_source=mail&lang=cs`);
  }
});
