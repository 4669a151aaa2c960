import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { ProgressBar } from './ProgressBar';

test.each([
  [0, 'none'],
  [1, 'some'],
  [49.9, 'some'],
  [50, 'most'],
  [99.9, 'most'],
  [100, 'all'],
])('a progress of %d percent has the tone %s', (percent, tone) => {
  render(<ProgressBar label="Night Passages" percent={percent} />);
  const bar = screen.getByRole('progressbar', { name: 'Night Passages' });
  expect(bar).toHaveAttribute('value', String(percent));
  expect(bar).toHaveAttribute('max', '100');
  expect(bar).toHaveAttribute('data-tone', tone);
});
