import { useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { TextField } from '../../ui/TextField';
import * as styles from './FilterPanel.module.css';
import { type PeriodInput, validatePeriod } from './period';

/** Keeps browsers from taking a year of more than four digits. */
const MAX_DAY = '9999-12-31';

interface PeriodFieldsProps {
  period: PeriodInput;
  today: Day;
  onChange: (change: Partial<PeriodInput>) => void;
}

/** Render the rental period; errors wait for blur, because a half-typed date is valid but wrong (year 0202). */
export function PeriodFields({ period, today, onChange }: PeriodFieldsProps) {
  const { formatMessage } = useIntl();
  const [isTyping, setTyping] = useState(false);
  const { from, to } = period;
  const problem = isTyping ? undefined : validatePeriod(period, today);
  const past = problem === 'past' ? formatMessage({ id: 'marketplace.periodPast' }) : undefined;
  const reversed = problem === 'reversed' ? formatMessage({ id: 'marketplace.periodReversed' }) : undefined;

  function update(change: Partial<PeriodInput>) {
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
        max={MAX_DAY}
        error={from ? past : undefined}
        onChange={({ target }) => update({ from: target.value })}
        onBlur={() => setTyping(false)}
      />
      <TextField
        type="date"
        label={formatMessage({ id: 'marketplace.to' })}
        value={to}
        min={from > today ? from : today}
        max={MAX_DAY}
        error={reversed ?? (from ? undefined : past)}
        onChange={({ target }) => update({ to: target.value })}
        onBlur={() => setTyping(false)}
      />
    </fieldset>
  );
}
