import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { renderInSite } from '../test/render';
import { FilterChips } from './Choices';

const CHIPS = [
  { value: '', label: 'All' },
  { value: 'race', label: 'Race', mark: <i data-testid="mark" /> },
  { value: 'trip', label: 'Trip' },
] as const;

function Types() {
  const [type, setType] = useState<'' | 'race' | 'trip'>('');
  return <FilterChips label="Type" chips={CHIPS} value={type} onChange={setType} />;
}

const pressed = () => screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);

test('the chips are a named group', () => {
  renderInSite(<Types />);
  expect(screen.getByRole('group', { name: 'Type' })).toContainElement(
    screen.getByRole('button', { name: 'Race' }),
  );
});

test('one chip is pressed at a time', async () => {
  const { user } = renderInSite(<Types />);
  expect(pressed()).toEqual(['All']);
  await user.click(screen.getByRole('button', { name: 'Race' }));
  expect(pressed()).toEqual(['Race']);
  await user.tab();
  await user.keyboard(' ');
  expect(pressed()).toEqual(['Trip']);
});
