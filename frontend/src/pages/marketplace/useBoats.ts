import { useMemo } from 'react';
import { useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import type { Boat } from './boat';
import { sampleBoats } from './sampleBoats';

/** The boats of the marketplace: sample data until a server has some. */
export function useBoats(today: Day): readonly Boat[] {
  const { formatMessage } = useIntl();
  return useMemo(() => sampleBoats(today, (id) => formatMessage({ id })), [today, formatMessage]);
}
