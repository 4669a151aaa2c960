import { FormattedMessage } from 'react-intl';

import { AUDIENCE_MENU } from '../../shell/menus';
import { SitePage } from '../../shell/SitePage';

export function LandingCompaniesPage() {
  return (
    <SitePage menu={AUDIENCE_MENU}>
      <h1>
        <FormattedMessage id="landingCompanies.title" />
      </h1>
    </SitePage>
  );
}
