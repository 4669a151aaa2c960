import { boolean, type InferType, object, string } from 'yup';

import type { MessageId } from '../../i18n/catalogues';
import { email, names, newPassword, singleLineText } from '../../forms/validation/schemas';

/** The most characters that accounts/models.py stores of a license number. */
const LICENSE_LIMIT = 64;

const licenseNumber = singleLineText({
  limit: LICENSE_LIMIT,
  required: 'auth.licenseNumberRequired',
  tooShort: 'auth.licenseNumberTooShort',
});

/** The rules of spec section 5, Sign-up. */
export const signUpSchema = object({
  ...names,
  email: email(),
  password: newPassword(),
  confirmPassword: string()
    .default('')
    .required({ id: 'auth.confirmPasswordRequired' })
    .test('same', { id: 'auth.passwordsDiffer' }, (value, { parent }) => {
      const { password: chosen = '' } = parent as { password?: string };
      return value.normalize() === chosen.normalize();
    }),
  captainLicense: boolean().default(false),
  // Without a license the number is neither validated nor sent.
  captainLicenseNumber: string()
    .default('')
    .when('captainLicense', { is: true, then: () => licenseNumber }),
  favoritePosition: string().default(''),
});

export type SignUpValues = InferType<typeof signUpSchema>;

/** No favorite position, and those that the server stores (spec section 3; accounts/models.py), with their labels. */
export const POSITIONS: readonly { value: string; label: MessageId }[] = [
  { value: '', label: 'auth.anyPosition' },
  { value: 'Bowman', label: 'auth.bowman' },
  { value: 'Mid bowman', label: 'auth.midBowman' },
  { value: 'Mastman', label: 'auth.mastman' },
  { value: 'Pitman', label: 'auth.pitman' },
  { value: 'Trimer of jib', label: 'auth.jibTrimer' },
  { value: 'Trimer of gennaker', label: 'auth.gennakerTrimer' },
  { value: 'Trimer of spinnaker', label: 'auth.spinnakerTrimer' },
  { value: 'Co-trimer', label: 'auth.coTrimer' },
  { value: 'Mainsail trimer', label: 'auth.mainsailTrimer' },
  { value: 'Helmsman', label: 'auth.helmsman' },
  { value: 'Taktick', label: 'auth.tactician' },
  { value: 'Chef in kitchen', label: 'auth.chef' },
  { value: 'Engine engineer', label: 'auth.engineer' },
  { value: 'Navigator', label: 'auth.navigator' },
];
