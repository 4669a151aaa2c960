import { fireEvent, screen } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

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
        <Dialog onClose={close} title="Free berths" footer={<p>In feet</p>}>
          <p>Four along the quay.</p>
          <button onClick={() => setOpen(false)}>Cast off</button>
        </Dialog>
      )}
    </>
  );
}

async function openBerths() {
  onClose.mockClear();
  const { user } = renderInSite(
    <StrictMode>
      <Mooring />
    </StrictMode>,
  );
  await user.click(screen.getByRole('button', { name: 'Berths' }));
  return { user, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Free berths' }) };
}

function expectClosed() {
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Berths' })).toHaveFocus();
}

test('a closed dialog is empty', () => {
  renderInSite(<Mooring />);
  expect(screen.queryByText('Four along the quay.')).not.toBeInTheDocument();
});

test('opens as a modal dialog named by its title, which takes the focus', async () => {
  const showModal = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  const { dialog } = await openBerths();
  expect(showModal).toHaveBeenCalled();
  expect(screen.getByRole('heading', { name: 'Free berths' })).toHaveFocus();
  expect(dialog).toHaveTextContent('Four along the quay.');
  expect(dialog).toHaveTextContent('In feet');
  expect(onClose).not.toHaveBeenCalled();
});

test('stays open when StrictMode runs the effects of a new dialog twice', async () => {
  const close = new Promise((resolve) => {
    document.addEventListener('close', resolve, { capture: true, once: true });
  });
  // Not in the first render, in which StrictMode runs the effects once.
  const { rerender } = renderInSite(<StrictMode>{null}</StrictMode>);
  rerender(
    <StrictMode>
      <Dialog onClose={onClose} title="Free berths">
        <p>Four along the quay.</p>
      </Dialog>
    </StrictMode>,
  );
  await close;
  expect(onClose).not.toHaveBeenCalled();
});

test.each<[string, (page: Awaited<ReturnType<typeof openBerths>>) => Promise<void>]>([
  ['the Close button', ({ user }) => user.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape', ({ user }) => user.keyboard('{Escape}')],
  ['a click on the backdrop', ({ user, dialog }) => user.click(dialog)],
])('%s closes it and returns the focus', async (_, close) => {
  await close(await openBerths());
  expectClosed();
  expect(onClose).toHaveBeenCalledOnce();
});

test('a click inside leaves it open', async () => {
  const { user, dialog } = await openBerths();
  await user.click(screen.getByText('Four along the quay.'));
  expect(dialog).toBeVisible();
});

test('a press that begins inside and ends on the backdrop leaves it open', async () => {
  const { dialog } = await openBerths();
  fireEvent.pointerDown(screen.getByText('Four along the quay.'));
  fireEvent.pointerUp(dialog);
  // The browser tells it to what holds both ends.
  fireEvent.click(dialog);
  expect(dialog).toBeVisible();
});

test('closing it by its prop returns the focus and does not call onClose', async () => {
  const { user } = await openBerths();
  await user.click(screen.getByRole('button', { name: 'Cast off' }));
  expectClosed();
  expect(onClose).not.toHaveBeenCalled();
});

test('can be opened again', async () => {
  const { user } = await openBerths();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Berths' }));
  expect(screen.getByRole('dialog', { name: 'Free berths' })).toBeVisible();
});

test.each([
  ['keeps the place of its scroll bar', 1009, 'stable'],
  ['that has no scroll bar stays as it is', 1024, ''],
])('the page below %s', async (_, width, gutter) => {
  const page = document.documentElement;
  vi.spyOn(page, 'clientWidth', 'get').mockReturnValue(width);
  page.style.scrollbarGutter = '';
  const { user } = await openBerths();
  expect(page.style.scrollbarGutter).toBe(gutter);
  await user.keyboard('{Escape}');
  expect(page.style.scrollbarGutter).toBe('');
});

describe('the page below two dialogs', () => {
  const page = document.documentElement;
  const berths = (lower: boolean, upper: boolean) => (
    <>
      {lower && (
        <Dialog onClose={onClose} title="Free berths">
          <p>Four along the quay.</p>
        </Dialog>
      )}
      {upper && (
        <Dialog onClose={onClose} title="Berth 2">
          <p>Shore power, no water.</p>
        </Dialog>
      )}
    </>
  );
  beforeEach(() => vi.spyOn(page, 'clientWidth', 'get').mockReturnValue(1009));

  test('reserves space for its scroll bar until both are closed', () => {
    const { rerender } = renderInSite(berths(true, true));
    rerender(berths(true, false));
    expect(page.style.scrollbarGutter).toBe('stable');
    rerender(berths(false, false));
    expect(page.style.scrollbarGutter).toBe('');
  });

  test.each([
    ['the second', true],
    ['the first', false],
  ])('keeps it when one takes the place of the other: %s', (_, first) => {
    const { rerender } = renderInSite(berths(first, !first));
    rerender(berths(!first, first));
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    expect(page.style.scrollbarGutter).toBe('stable');
    rerender(berths(false, false));
    expect(page.style.scrollbarGutter).toBe('');
  });
});

test('a pending dialog opens again when the browser closes it, with the focus on its title', async () => {
  onClose.mockClear();
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
