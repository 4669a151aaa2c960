import { FormattedMessage } from 'react-intl';

import * as styles from './PrivacyButton.module.css';

/** The event that asks Analytics for the privacy settings. Its target gets the focus back when they close. */
export const PRIVACY_REQUEST = 'privacyrequest';

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
      onClick={({ currentTarget }) =>
        currentTarget.dispatchEvent(new Event(PRIVACY_REQUEST, { bubbles: true }))
      }
    >
      <FormattedMessage id="footer.privacySettings" />
    </button>
  );
}
