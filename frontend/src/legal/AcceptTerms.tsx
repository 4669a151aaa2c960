import { FormattedMessage } from 'react-intl';

import type { MessageId } from '../i18n/catalogues';
import { LegalLink, type LegalName } from './LegalLink';

/** The line of a form that names the terms and the privacy notice. */
export function AcceptTerms({ message }: { message: MessageId }) {
  const link = (document: LegalName, text: MessageId) => (
    <LegalLink document={document}>
      <FormattedMessage id={text} />
    </LegalLink>
  );
  const values = {
    terms: link('terms', 'forms.termsOfUse'),
    privacy: link('privacy', 'forms.privacyNotice'),
  };
  return <FormattedMessage id={message} values={values} />;
}
