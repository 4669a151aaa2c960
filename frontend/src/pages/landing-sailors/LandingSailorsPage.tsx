import { FormattedMessage } from 'react-intl';

import { AUDIENCE_MENU } from '../../shell/menus';
import { SitePage } from '../../shell/SitePage';

export function LandingSailorsPage() {
  return (
    <SitePage menu={AUDIENCE_MENU}>
      <h1>
        <FormattedMessage id="landingSailors.title" />
      </h1>
    </SitePage>
  );
}
