import { FormattedMessage } from 'react-intl';

import * as styles from './PrivacyButton.module.css';
import { setPrivacyRequest } from './privacyRequest';

/**
 * Open the privacy settings, where a consent can be withdrawn (GDPR, article 7.3).
 *
 * Always prerendered; the style sheet hides it on a site without a measurement id, to avoid a layout shift.
 */
export function PrivacyButton() {
  return (
    <button
      type="button"
      className={styles.button}
      onClick={({ currentTarget }) => setPrivacyRequest({ opener: currentTarget })}
    >
      <FormattedMessage id="footer.privacySettings" />
    </button>
  );
}
