import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { Dialog } from '../ui/Dialog';
import { useToast } from './ToastProvider';
import { useOpensAtLaunch } from './useOpensAtLaunch';

const DURATION_MS = 6000;

function Controls() {
  const { notify, alert } = useToast();
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <>
      <button onClick={() => notify('The wind has turned.')}>Notify</button>
      <button onClick={() => notify('Weighing anchor...', true)}>Wait</button>
      <button onClick={() => alert('Man overboard!')}>Alert</button>
      <button onClick={opensAtLaunch}>Enroll</button>
    </>
  );
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

function getRegion(live: 'polite' | 'assertive') {
  const region = document.querySelector(`[aria-live="${live}"]`);
  if (!region) throw new Error('There is no live region');
  return region;
}

test.each([
  ['Notify', 'status', 'polite', /^The wind has turned\.$/],
  ['Alert', 'alert', 'assertive', /^Man overboard!$/],
] as const)('%s shows a toast as %s in a %s region that existed before', async (name, role, live, text) => {
  renderInSite(<Controls />);
  const region = getRegion(live);
  expect(screen.queryByRole(role)).not.toBeInTheDocument();
  press(name);
  expect(await screen.findByRole(role)).toBe(region);
  expect(region).toHaveTextContent(text);
});

test('only the latest toast shows', async () => {
  renderInSite(<Controls />);
  press('Notify');
  await screen.findByText('The wind has turned.');
  press('Alert');
  await screen.findByText('Man overboard!');
  expect(screen.queryByText('The wind has turned.')).not.toBeInTheDocument();
});

test('the same text again is a new toast', async () => {
  renderInSite(<Controls />);
  press('Notify');
  const first = await screen.findByText('The wind has turned.');
  press('Notify');
  await waitFor(() => expect(first).not.toBeInTheDocument());
  expect(await screen.findByText('The wind has turned.')).toBeVisible();
});

describe('a toast', () => {
  beforeEach(async () => {
    renderInSite(<Controls />);
    vi.useFakeTimers();
    press('Notify');
    await passTime(100);
  });
  afterEach(() => void vi.useRealTimers());

  const passTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

  test('disappears after six seconds', async () => {
    await passTime(DURATION_MS - 1);
    expect(getRegion('polite')).not.toBeEmptyDOMElement();
    await passTime(1);
    expect(getRegion('polite')).toBeEmptyDOMElement();
  });

  test('of something pending stays until the next one', async () => {
    press('Wait');
    await passTime(100 + 3 * DURATION_MS);
    expect(getRegion('polite')).toHaveTextContent('Weighing anchor...');
    press('Alert');
    await passTime(100);
    expect(getRegion('polite')).toBeEmptyDOMElement();
    await passTime(DURATION_MS);
    expect(getRegion('assertive')).toBeEmptyDOMElement();
  });

  test('stays while it has the focus', async () => {
    act(() => screen.getByRole('button', { name: 'Close' }).focus());
    await passTime(3 * DURATION_MS);
    expect(getRegion('polite')).not.toBeEmptyDOMElement();
    act(() => screen.getByRole('button', { name: 'Enroll' }).focus());
    await passTime(DURATION_MS);
    expect(getRegion('polite')).toBeEmptyDOMElement();
  });

  test('stays while it is hovered', async () => {
    const matches = vi
      .spyOn(HTMLElement.prototype, 'matches')
      .mockImplementation((query) => query.includes(':hover'));
    await passTime(3 * DURATION_MS);
    expect(getRegion('polite')).not.toBeEmptyDOMElement();
    matches.mockRestore();
    await passTime(DURATION_MS);
    expect(getRegion('polite')).toBeEmptyDOMElement();
  });
});

test('closing a toast returns the focus', async () => {
  const { user } = renderInSite(<Controls />);
  await user.click(screen.getByRole('button', { name: 'Notify' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Notify' })).toHaveFocus();
});

test('a toast that fails to render leaves the page as it is', async () => {
  vi.spyOn(HTMLElement.prototype, 'togglePopover').mockImplementation(() => {
    throw new Error('Not supported');
  });
  const onCaughtError = vi.fn();
  renderInSite(<Controls />, { onCaughtError });
  press('Notify');
  await waitFor(() => expect(onCaughtError).toHaveBeenCalledOnce());
  expect(screen.getByRole('button', { name: 'Notify' })).toBeVisible();
});

describe('with an open modal dialog', () => {
  function dialog(index = 0): HTMLDialogElement {
    const found = document.querySelectorAll('dialog')[index];
    if (!found) throw new Error('There is no such dialog');
    return found;
  }

  async function openDialog() {
    const view = renderInSite(
      <>
        <Controls />
        <button onClick={() => dialog().showModal()}>Open</button>
        <dialog>
          <button onClick={() => dialog().close()}>Close the dialog</button>
          <dialog aria-label="Inner" />
        </dialog>
      </>,
    );
    await view.user.click(screen.getByRole('button', { name: 'Open' }));
    return view;
  }

  test('the live region is inside the dialog before its text, because everything outside is inert', async () => {
    await openDialog();
    press('Notify');
    const region = dialog().querySelector('[aria-live="polite"]');
    expect(region).toBeEmptyDOMElement();
    expect(await screen.findByText('The wind has turned.')).toBeVisible();
    expect(within(dialog()).getByRole('status')).toBe(region);
  });

  test('a toast stays when the dialog closes', async () => {
    const { user } = await openDialog();
    press('Alert');
    await within(dialog()).findByText('Man overboard!');
    await user.click(screen.getByRole('button', { name: 'Close the dialog' }));
    expect(screen.getByText('Man overboard!')).toBeVisible();
    expect(dialog()).not.toContainElement(screen.getByRole('alert'));
  });

  test.each(['before', 'after'])('a toast shows when the dialog is removed %s the toast', async (order) => {
    function Removable() {
      const [isOpen, setOpen] = useState(true);
      const remove = () => setOpen(false);
      return (
        isOpen && <Dialog title={<button onClick={remove}>Remove</button>} onClose={remove} children="" />
      );
    }
    renderInSite(
      <>
        <Controls />
        <Removable />
      </>,
    );
    press('Alert');
    if (order === 'after') await within(dialog()).findByText('Man overboard!');
    press('Remove');
    expect(document.querySelector('dialog')).toBeNull();
    expect(await screen.findByText('Man overboard!')).toBeVisible();
  });

  test('a toast is in the innermost dialog', async () => {
    await openDialog();
    const inner = dialog(1);
    inner.showModal();
    press('Notify');
    expect(await within(inner).findByText('The wind has turned.')).toBeVisible();
  });
});

test.each([
  ['en', 'This opens when the community launches.'],
  ['cs', 'Tato část se otevře, až komunita vypluje.'],
] as const)('useOpensAtLaunch says when a feature opens (%s)', async (language, text) => {
  renderInSite(<Controls />, { language });
  press('Enroll');
  expect(await screen.findByRole('status')).toHaveTextContent(text);
});

test('useToast throws outside a ToastProvider', () => {
  expect(() => render(<Controls />)).toThrow('useToast must be used within a ToastProvider');
});
