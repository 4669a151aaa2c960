import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { SelectField } from './SelectField';

const OPTIONS = [
  { value: '', label: 'Any' },
  { value: 'yacht', label: 'Yacht' },
];

const select = () => screen.getByLabelText('Boat type');

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
