import { client } from '../../lib/api/client';
import { type FormError, toFormError } from '../../lib/api/errors';
import { RequestPasswordResetDocument } from '../../lib/api/generated';

/** Ask for a link to choose a new password. Return undefined on success, else why it was rejected. */
export async function requestReset(email: string): Promise<FormError | undefined> {
  try {
    await client.mutate({ mutation: RequestPasswordResetDocument, variables: { email } });
    return undefined;
  } catch (error) {
    return toFormError(error);
  }
}
