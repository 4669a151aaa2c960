import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Section } from './Section';

/** Renders a section of which each animation ends as it is said. */
async function showSection(finished: Promise<Animation>) {
  vi.spyOn(Element.prototype, 'getAnimations').mockReturnValue([{ finished } as Animation]);
  renderInSite(<Section tone="white" title="Under way" />);
  await act(() => Promise.resolve());
  return screen.getByRole('heading', { name: 'Under way' }).parentElement;
}

test('a section is labelled by its title', async () => {
  await showSection(new Promise(() => undefined));
  expect(screen.getByRole('region', { name: 'Under way' })).toBeVisible();
});

test('a finished entrance is not repeated', async () => {
  expect(await showSection(Promise.resolve({} as Animation))).toHaveAttribute('data-risen');
});

test('an unfinished entrance keeps its animation', async () => {
  expect(await showSection(new Promise(() => undefined))).not.toHaveAttribute('data-risen');
});

test('a cancelled animation is ignored', async () => {
  const cancelled = new DOMException('Cancelled', 'AbortError');
  expect(await showSection(Promise.reject(cancelled))).not.toHaveAttribute('data-risen');
});
