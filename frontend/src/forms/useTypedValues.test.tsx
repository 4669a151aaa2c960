import { act, screen } from '@testing-library/react';
import { useRef } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';

import { useTypedValues } from './useTypedValues';

function Fields({ city = '', position = '' }) {
  const container = useRef<HTMLDivElement>(null);
  useTypedValues(container);
  return (
    <div ref={container}>
      <input aria-label="City" name="city" defaultValue={city} />
      <input aria-label="Licensed" type="checkbox" name="isLicensed" />
      <input aria-label="Sailor" type="radio" name="userType" value="sailor" defaultChecked />
      <input aria-label="Company" type="radio" name="userType" value="company" />
      <select aria-label="Position" name="position" defaultValue={position}>
        <option value="">None</option>
        <option value="bow">Bow</option>
      </select>
    </div>
  );
}

let root: Root;

/** Show the fields as the server sends them. */
function prerender() {
  document.body.innerHTML = `<div id="root">${renderToString(<Fields />)}</div>`;
}

/** Render the page anew. */
function render(address = {}) {
  root = createRoot(document.getElementById('root') ?? document.body);
  act(() => root.render(<Fields {...address} />));
}

afterEach(() => {
  act(() => root.unmount());
  document.body.innerHTML = '';
  delete document.documentElement.dataset.hydrated;
});

test.each([
  ['text', 'City', { value: 'Brno' }],
  ['checkbox', 'Licensed', { checked: true }],
  ['radio button', 'Company', { checked: true }],
  ['select', 'Position', { value: 'bow' }],
])('keeps a changed %s', (_, label, change) => {
  prerender();
  const before = Object.assign(screen.getByLabelText(label), change);
  render();
  expect(screen.getByLabelText(label)).not.toBe(before);
  expect(screen.getByLabelText(label)).toMatchObject(change);
});

test('keeps the focus and the selection', () => {
  prerender();
  const before = screen.getByLabelText<HTMLInputElement>('City');
  before.value = 'Brno';
  before.focus();
  before.setSelectionRange(1, 3);
  render();
  expect(screen.getByLabelText('City')).toHaveFocus();
  expect(screen.getByLabelText('City')).toMatchObject({ selectionStart: 1, selectionEnd: 3 });
});

test('leaves the values of the address in fields that have not been changed', () => {
  prerender();
  render({ city: 'Praha', position: 'bow' });
  expect(screen.getByLabelText('City')).toHaveValue('Praha');
  expect(screen.getByLabelText('Position')).toHaveValue('bow');
});

test('ignores the fields of the previous page after hydration', () => {
  prerender();
  screen.getByLabelText<HTMLInputElement>('City').value = 'Brno';
  document.documentElement.dataset.hydrated = '';
  render();
  expect(screen.getByLabelText('City')).toHaveValue('');
});
