import { useMemo } from 'react';
import { useIntl } from 'react-intl';

import type { Day } from '../../../features/calendar/day';
import { type QueryResult, createSampleResult } from '../../../lib/query';
import type { Boat } from '../boat';
import { createSampleBoats } from './sampleBoats';

/** Query the boats in the language of the page (sample data until the API has them). */
export function useBoatsQuery(today: Day): QueryResult<readonly Boat[]> {
  const { formatMessage } = useIntl();
  return useMemo(
    () => createSampleResult(createSampleBoats(today, (id) => formatMessage({ id }))),
    [today, formatMessage],
  );
}
