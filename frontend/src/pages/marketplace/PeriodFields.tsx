import { useState } from 'react';
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

/**
 * From which day to which a boat is wanted. What is wrong with them is said when a field is left: until then the date
 * in it may be half typed, in a year like 0202.
 */
export function PeriodFields({ period, today, onChange }: PeriodFieldsProps) {
  const { formatMessage } = useIntl();
  const [isTyping, setTyping] = useState(false);
  const { from, to } = period;
  const problem = isTyping ? undefined : periodProblem(period, today);
  const past = problem === 'past' ? formatMessage({ id: 'marketplace.periodPast' }) : undefined;
  const reversed = problem === 'reversed' ? formatMessage({ id: 'marketplace.periodReversed' }) : undefined;

  function take(change: Partial<AskedPeriod>) {
    setTyping(true);
    onChange(change);
  }

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
        onChange={({ target }) => take({ from: target.value })}
        onBlur={() => setTyping(false)}
      />
      <TextField
        type="date"
        label={formatMessage({ id: 'marketplace.to' })}
        value={to}
        min={from > today ? from : today}
        error={reversed ?? (from ? undefined : past)}
        onChange={({ target }) => take({ to: target.value })}
        onBlur={() => setTyping(false)}
      />
    </fieldset>
  );
}
