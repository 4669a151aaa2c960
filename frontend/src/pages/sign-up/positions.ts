import type { MessageId } from '../../i18n/catalogues';

/** The favorite positions as the server stores them (spec section 3; accounts/models.py), with their labels. */
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
