import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../i18n/catalogues';
import { LegalLink } from './LegalLink';

/** The line of a form that names the terms and the privacy notice. */
export function AcceptTerms({ message }: { message: MessageId }) {
  return (
    <FormattedMessage
      id={message}
      values={{
        terms: (
          <LegalLink document="terms">
            <FormattedMessage id="forms.termsOfUse" />
          </LegalLink>
        ),
        privacy: (
          <LegalLink document="privacy">
            <FormattedMessage id="forms.privacyNotice" />
          </LegalLink>
        ),
      }}
    />
  );
}
