import { useEffect, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import type { Day } from '../../calendar/day';
import { TextField } from '../../ui/Field';
import * as styles from './FilterPanel.module.css';
import { type PeriodInput, validatePeriod } from './period';

/** Half-typed dates are valid but wrong (year 0202), so errors wait until the visitor pauses or leaves the field. */
const PAUSE_MS = 1000;

/** Keeps Chromium from taking a year of more than four digits. */
const MAX_DAY = '9999-12-31';

interface PeriodFieldsProps {
  period: PeriodInput;
  today: Day;
  onChange: (change: Partial<PeriodInput>) => void;
}

/** Render the rental period. */
export function PeriodFields({ period, today, onChange }: PeriodFieldsProps) {
  const { formatMessage } = useIntl();
  const [isTyping, setTyping] = useState(false);
  const { from, to } = period;
  const problem = isTyping ? undefined : validatePeriod(period, today);
  const getError = (end: keyof PeriodInput) =>
    problem?.end === end ? formatMessage({ id: problem.messageId }) : undefined;

  useEffect(() => {
    const timer = setTimeout(() => setTyping(false), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [from, to]);

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
        isLive
        type="date"
        label={formatMessage({ id: 'marketplace.from' })}
        value={from}
        min={today}
        max={MAX_DAY}
        error={getError('from')}
        onChange={({ target }) => update({ from: target.value })}
        onBlur={() => setTyping(false)}
      />
      <TextField
        isLive
        type="date"
        label={formatMessage({ id: 'marketplace.to' })}
        value={to}
        min={from > today ? from : today}
        max={MAX_DAY}
        error={getError('to')}
        onChange={({ target }) => update({ to: target.value })}
        onBlur={() => setTyping(false)}
      />
    </fieldset>
  );
}
