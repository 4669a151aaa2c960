import { fireEvent, screen } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Dialog } from './Dialog';

const onClose = vi.fn();

function Mooring() {
  const [open, setOpen] = useState(false);
  const close = () => {
    onClose();
    setOpen(false);
  };
  return (
    <>
      <button onClick={() => setOpen(true)}>Berths</button>
      {open && (
        <Dialog onClose={close} title="Free berths">
          <p>Four along the quay.</p>
          <button onClick={() => setOpen(false)}>Cast off</button>
        </Dialog>
      )}
    </>
  );
}

/** Open the dialog, whose effects StrictMode runs twice. */
async function openBerths() {
  const { user } = renderInSite(
    <StrictMode>
      <Mooring />
    </StrictMode>,
  );
  await user.click(screen.getByRole('button', { name: 'Berths' }));
  return { user, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Free berths' }) };
}

beforeEach(() => void onClose.mockClear());

test.each<[string, number, (page: Awaited<ReturnType<typeof openBerths>>) => Promise<void>]>([
  ['the Close button', 1, ({ user }) => user.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape', 1, ({ user }) => user.keyboard('{Escape}')],
  ['a click on the backdrop', 1, ({ user, dialog }) => user.click(dialog)],
  ['its own button', 0, ({ user }) => user.click(screen.getByRole('button', { name: 'Cast off' }))],
])('%s closes it and returns the focus; onClose is called %i times', async (_, calls, close) => {
  const page = await openBerths();
  expect(screen.getByRole('heading', { name: 'Free berths' })).toHaveFocus();
  await close(page);
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Berths' })).toHaveFocus();
  expect(onClose).toHaveBeenCalledTimes(calls);
});

test('a press inside that ends on the backdrop leaves it open', async () => {
  const { dialog } = await openBerths();
  fireEvent.pointerDown(screen.getByText('Four along the quay.'));
  fireEvent.pointerUp(dialog);
  // The browser tells it to what holds both ends.
  fireEvent.click(dialog);
  expect(dialog).toBeVisible();
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
