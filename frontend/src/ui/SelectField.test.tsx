import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { SelectField } from './SelectField';

const OPTIONS = [
  { value: '', label: 'Any' },
  { value: 'yacht', label: 'Yacht' },
];

const select = () => screen.getByLabelText('Boat type');

test('offers its options in their order, the first one chosen', () => {
  render(<SelectField label="Boat type" options={OPTIONS} />);
  const texts = within(select())
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(texts).toEqual(['Any', 'Yacht']);
  expect(select()).toHaveValue('');
});

test('tells which one was chosen', async () => {
  const onChange = vi.fn();
  render(<SelectField label="Boat type" options={OPTIONS} onChange={onChange} />);
  await userEvent.selectOptions(select(), 'Yacht');
  expect(onChange).toHaveBeenCalledOnce();
  expect(select()).toHaveValue('yacht');
});

test('ties its error and its hint to the control', () => {
  render(<SelectField label="Boat type" options={OPTIONS} error="No such boat" hint="As registered" />);
  expect(select()).toHaveAttribute('aria-invalid', 'true');
  expect(select()).toHaveAccessibleDescription('No such boat As registered');
});

test('is not wrong without an error', () => {
  render(<SelectField label="Boat type" options={OPTIONS} />);
  expect(select()).not.toHaveAttribute('aria-invalid');
  expect(select()).not.toHaveAttribute('aria-describedby');
});
