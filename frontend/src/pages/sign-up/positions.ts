import type { MessageId } from '../../i18n/catalogues';

/**
 * The favorite sailing positions in the spelling of spec section 3, which is what the server stores
 * (`FavoritePosition` in accounts/models.py), and how each is called.
 */
export const POSITIONS: readonly { value: string; label: MessageId }[] = [
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
