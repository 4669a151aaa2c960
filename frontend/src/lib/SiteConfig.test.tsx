import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

import { LanguageProvider } from '../i18n/LanguageProvider';
import { setLanguage } from '../i18n/catalogues';
import '../test/catalogues';
import { SITE } from '../test/render';
import { SiteConfigContext, useLaunch } from './SiteConfig';

const Launch = () => <p>{useLaunch()}</p>;

const site = (isLaunchYearPast: boolean) => (
  <SiteConfigContext value={{ ...SITE, isLaunchYearPast }}>
    <LanguageProvider>
      <Launch />
    </LanguageProvider>
  </SiteConfigContext>
);

test.each([
  ['en', 2025, false, 'Launching in 2025', 'Launching in 2025'],
  ['en', 2026, false, 'Launching in 2025', 'Launching soon'],
  ['en', 2025, true, 'Launching soon', 'Launching soon'],
  ['cs', 2025, false, 'Vyplouváme v\u00a0roce 2025', 'Vyplouváme v\u00a0roce 2025'],
  ['cs', 2026, true, 'Brzy vyplouváme', 'Brzy vyplouváme'],
] as const)(
  'in %s, with the visitor in %i and past for the server: %s, says %j, after hydration %j',
  async (language, year, isLaunchYearPast, prerendered, hydrated) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(year, 5, 1) });
    setLanguage(language);
    const app = site(isLaunchYearPast);
    document.body.innerHTML = renderToString(app);
    expect(document.body.textContent).toBe(prerendered);
    // A mismatch is written to the console, which fails the test (test/setup.ts).
    const root = await act(() => Promise.resolve(hydrateRoot(document.body, app)));
    expect(document.body.textContent).toBe(hydrated);
    act(() => root.unmount());
  },
);
