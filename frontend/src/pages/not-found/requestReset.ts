import type { IntlShape } from 'react-intl';

import { client } from '../../api/client';
import { errorMessage, serverErrors } from '../../api/errors';
import { RequestPasswordResetDocument } from '../../api/generated';

/** Why a request was refused. */
export interface Refusal {
  /** Return the text in the current language; the server's own text is never translated. */
  message: (intl: IntlShape) => string;
  /** Whether the message belongs to the email field rather than to the form. */
  isAboutEmail: boolean;
}

/** Ask for a link to choose a new password. Return undefined on success, else why it was refused. */
export async function requestReset(email: string): Promise<Refusal | undefined> {
  try {
    await client.mutate({ mutation: RequestPasswordResetDocument, variables: { email } });
    return undefined;
  } catch (error) {
    return {
      message: (intl) => errorMessage(error, intl, 'notFound.resetFailed'),
      isAboutEmail: serverErrors(error)[0]?.extensions?.field === 'email',
    };
  }
}
