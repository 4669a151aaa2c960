import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { ProgressBar } from './ProgressBar';

test.each([
  [0, 'none'],
  [1, 'low'],
  [49.9, 'low'],
  [50, 'high'],
  [99.9, 'high'],
  [100, 'complete'],
])('a progress of %d percent has the level %s', (percent, level) => {
  render(<ProgressBar label="Night Passages" percent={percent} />);
  const bar = screen.getByRole('progressbar', { name: 'Night Passages' });
  expect(bar).toHaveAttribute('value', String(percent));
  expect(bar).toHaveAttribute('max', '100');
  expect(bar).toHaveAttribute('data-level', level);
});
