import { FormattedMessage, useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { TextField } from '../../ui/TextField';
import * as styles from './FilterPanel.module.css';
import { type AskedPeriod, periodProblem } from './period';

interface PeriodFieldsProps {
  period: AskedPeriod;
  today: Day;
  onChange: (change: Partial<AskedPeriod>) => void;
}

/** From which day to which a boat is wanted. */
export function PeriodFields({ period, today, onChange }: PeriodFieldsProps) {
  const { formatMessage } = useIntl();
  const { from, to } = period;
  const problem = periodProblem(period, today);
  const past = problem === 'past' ? formatMessage({ id: 'marketplace.periodPast' }) : undefined;
  const reversed = problem === 'reversed' ? formatMessage({ id: 'marketplace.periodReversed' }) : undefined;
  return (
    <fieldset className={styles.range}>
      <legend>
        <FormattedMessage id="marketplace.period" />
      </legend>
      <TextField
        type="date"
        label={formatMessage({ id: 'marketplace.from' })}
        value={from}
        min={today}
        error={from ? past : undefined}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <TextField
        type="date"
        label={formatMessage({ id: 'marketplace.to' })}
        value={to}
        min={from > today ? from : today}
        error={reversed ?? (from ? undefined : past)}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </fieldset>
  );
}
