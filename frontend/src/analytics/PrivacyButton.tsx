import { FormattedMessage } from 'react-intl';

import * as styles from './PrivacyButton.module.css';
import { setPrivacyRequest } from './privacyRequest';

/**
 * Opens the privacy settings, where a consent is withdrawn as easily as it was given (GDPR, article 7.3).
 *
 * It stands in the pages that are rendered at build time, when nobody knows yet whether anything will be measured:
 * the style sheet shows it on a site with a measurement id, so that nothing moves when the page comes to life.
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
