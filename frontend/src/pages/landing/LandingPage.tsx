import { FormattedMessage } from 'react-intl';

import { AUDIENCE_MENU } from '../../shell/menus';
import { SitePage } from '../../shell/SitePage';

export function LandingPage() {
  return (
    <SitePage menu={AUDIENCE_MENU}>
      <h1>
        <FormattedMessage id="landing.title" />
      </h1>
    </SitePage>
  );
}
