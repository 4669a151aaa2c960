import type { ReactNode } from 'react';

import { ForgotPassword } from './ForgotPassword';
import { OpensAtLaunch } from './OpensAtLaunch';
import { Operator } from './Operator';

/**
 * What the not-found page adds for the paths that the site links to. `helpPaths` of frontend/routes.json has the same
 * paths, for which the page is prerendered.
 */
export const HELP_BY_PATH: Record<string, ReactNode> = {
  '/forgot-password': <ForgotPassword />,
  '/about': <Operator title="notFound.aboutTitle" text="notFound.whatSailingIs" />,
  '/contact': <Operator title="notFound.contactTitle" text="notFound.contactText" />,
  '/races': (
    <OpensAtLaunch title="notFound.races" text="notFound.racesText" link="notFound.racesLink" to="/events" />
  ),
  '/network': (
    <OpensAtLaunch
      title="notFound.network"
      text="notFound.networkText"
      link="notFound.networkLink"
      to="/dashboard"
    />
  ),
  '/saved': (
    <OpensAtLaunch
      title="notFound.saved"
      text="notFound.savedText"
      link="notFound.savedLink"
      to="/marketplace"
    />
  ),
  '/settings': (
    <OpensAtLaunch
      title="notFound.settings"
      text="notFound.settingsText"
      link="notFound.settingsLink"
      to="/profile"
    />
  ),
};
