import { afterEach, expect, test, vi } from 'vitest';

import { INTERACTIONS, markUserInteraction, onUserInteraction } from './userInteraction';

afterEach(() => delete document.documentElement.dataset.touched);

const interact = () => {
  for (const type of INTERACTIONS) for (let time = 0; time < 3; time += 1) dispatchEvent(new Event(type));
};

test('calls back once, however much the visitor does', () => {
  const callback = vi.fn();
  onUserInteraction(callback);
  expect(callback).not.toHaveBeenCalled();
  interact();
  expect(callback).toHaveBeenCalledOnce();
});

test('calls back at once, and never again, after an interaction', () => {
  const callback = vi.fn();
  markUserInteraction();
  onUserInteraction(callback);
  interact();
  expect(callback).toHaveBeenCalledOnce();
});

test('does not call back after it has been stopped', () => {
  const callback = vi.fn();
  onUserInteraction(callback)();
  interact();
  expect(callback).not.toHaveBeenCalled();
});
