import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { Checkbox } from './Checkbox';

test('clicking the label ticks the checkbox', async () => {
  const onChange = vi.fn();
  render(<Checkbox label="I have a captain license" onChange={onChange} />);
  const box = screen.getByRole('checkbox', { name: 'I have a captain license' });
  expect(box).not.toBeChecked();
  await userEvent.click(screen.getByText('I have a captain license'));
  expect(box).toBeChecked();
  expect(onChange).toHaveBeenCalledOnce();
});

test('a disabled checkbox cannot be ticked', async () => {
  render(<Checkbox label="Remember me" disabled />);
  await userEvent.click(screen.getByText('Remember me'));
  expect(screen.getByRole('checkbox')).not.toBeChecked();
});
