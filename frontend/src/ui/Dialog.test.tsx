import { fireEvent, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Dialog } from './Dialog';

const onClose = vi.fn();
beforeEach(() => void onClose.mockClear());

// Playwright tests Escape and that the focus returns.
test('Close or a click on the backdrop closes it, a press inside that ends there does not', async () => {
  const { user } = renderInSite(
    // Runs the effects twice.
    <StrictMode>
      <Dialog onClose={onClose} title="Free berths">
        <p>Four along the quay.</p>
      </Dialog>
    </StrictMode>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Free berths' });
  expect(screen.getByRole('heading', { name: 'Free berths' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
  fireEvent.pointerDown(screen.getByText('Four along the quay.'));
  // The browser tells it to what holds both ends.
  fireEvent.click(dialog);
  expect(dialog).toBeVisible();
  await user.click(dialog);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
});

test.each([
  ['keeps the place of its scroll bar until both dialogs are closed', 1009, 'stable'],
  ['that has no scroll bar stays as it is', 1024, ''],
])('the page below %s', (_, width, gutter) => {
  const page = document.documentElement;
  vi.spyOn(page, 'clientWidth', 'get').mockReturnValue(width);
  const berths = (...titles: string[]) =>
    titles.map((title) => (
      <Dialog key={title} onClose={onClose} title={title}>
        <p>Shore power, no water.</p>
      </Dialog>
    ));
  const { rerender } = renderInSite(berths('Lower', 'Upper'));
  for (const open of [['Lower'], ['Other'], ['Lower', 'Other']]) {
    rerender(berths(...open));
    expect(page.style.scrollbarGutter).toBe(gutter);
  }
  rerender(berths());
  expect(page.style.scrollbarGutter).toBe('');
});

test('a pending dialog opens again when the browser closes it, with the focus on its title', async () => {
  renderInSite(
    <Dialog isPending onClose={onClose} title="Free berths">
      <p>Casting off...</p>
    </Dialog>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  dialog.close();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(await screen.findByRole('dialog')).toBe(dialog);
  expect(screen.getByRole('heading', { name: 'Free berths' })).toHaveFocus();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).not.toHaveBeenCalled();
});
