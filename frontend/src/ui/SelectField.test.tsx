import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { SelectField } from './SelectField';

const OPTIONS = [
  { value: '', label: 'Any' },
  { value: 'yacht', label: 'Yacht' },
];

const select = () => screen.getByLabelText('Boat type');

test('calls onChange with the selected option', async () => {
  const onChange = vi.fn();
  render(<SelectField label="Boat type" options={OPTIONS} onChange={onChange} />);
  await userEvent.selectOptions(select(), 'Yacht');
  expect(onChange).toHaveBeenCalledOnce();
  expect(select()).toHaveValue('yacht');
});

test('describes the control by its error and hint', () => {
  render(<SelectField label="Boat type" options={OPTIONS} error="No such boat" hint="As registered" />);
  expect(select()).toHaveAttribute('aria-invalid', 'true');
  expect(select()).toHaveAccessibleDescription('No such boat As registered');
});

test('is valid without an error', () => {
  render(<SelectField label="Boat type" options={OPTIONS} />);
  expect(select()).not.toHaveAttribute('aria-invalid');
  expect(select()).not.toHaveAttribute('aria-describedby');
});
