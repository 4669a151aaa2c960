import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { useToast } from './ToastProvider';
import { useOpensAtLaunch } from './useOpensAtLaunch';

function Controls() {
  const { notify, alert } = useToast();
  const say = useOpensAtLaunch();
  return (
    <>
      <button onClick={() => notify('The wind has turned.')}>Notify</button>
      <button onClick={() => alert('Man overboard!')}>Alert</button>
      <button onClick={say}>Enroll</button>
    </>
  );
}

afterEach(() => {
  vi.useRealTimers();
});

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const STAY = 6000;

/** Shows a toast with the clock standing still; it moves when the test says so. */
async function showNotice() {
  renderInSite(<Controls />);
  vi.useFakeTimers();
  press('Notify');
  await act(() => vi.advanceTimersByTimeAsync(0));
  return screen.getByRole('status');
}

const passTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('a notice is a status, an alert is an alert, each in a region that stood there before it', async () => {
  const { container } = renderInSite(<Controls />);
  const [polite, assertive] = ['polite', 'assertive'].map((live) =>
    container.querySelector(`[aria-live="${live}"]`),
  );
  press('Notify');
  expect(await screen.findByRole('status')).toBe(polite);
  expect(polite).toHaveTextContent(/^The wind has turned\.$/);
  press('Alert');
  expect(await screen.findByRole('alert')).toBe(assertive);
  expect(assertive).toHaveTextContent(/^Man overboard!$/);
});

test('while nothing is said there is no alert and no status to be found', () => {
  renderInSite(<Controls />);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('one toast shows at a time, the latest', async () => {
  renderInSite(<Controls />);
  press('Notify');
  await screen.findByText('The wind has turned.');
  press('Alert');
  await screen.findByText('Man overboard!');
  expect(screen.queryByText('The wind has turned.')).not.toBeInTheDocument();
});

test('the same words said again are a new toast, and announced again', async () => {
  renderInSite(<Controls />);
  press('Notify');
  const first = await screen.findByText('The wind has turned.');
  press('Notify');
  await vi.waitFor(() => expect(first).not.toBeInTheDocument());
  expect(screen.getByText('The wind has turned.')).toBeVisible();
});

test('a toast goes after six seconds', async () => {
  const region = await showNotice();
  await passTime(STAY - 1);
  expect(region).not.toBeEmptyDOMElement();
  await passTime(1);
  expect(region).toBeEmptyDOMElement();
});

test('a toast stays while the focus is in it', async () => {
  const region = await showNotice();
  act(() => screen.getByRole('button', { name: 'Close' }).focus());
  await passTime(3 * STAY);
  expect(region).not.toBeEmptyDOMElement();
  act(() => screen.getByRole('button', { name: 'Enroll' }).focus());
  await passTime(STAY);
  expect(region).toBeEmptyDOMElement();
});

test('a toast stays while someone points at it', async () => {
  const region = await showNotice();
  const pointedAt = vi
    .spyOn(HTMLElement.prototype, 'matches')
    .mockImplementation((query) => query.includes(':hover'));
  await passTime(3 * STAY);
  expect(region).not.toBeEmptyDOMElement();
  pointedAt.mockRestore();
  await passTime(STAY);
  expect(region).toBeEmptyDOMElement();
});

test('a toast can be closed, and the focus goes back to where it came from', async () => {
  const { user } = renderInSite(<Controls />);
  await user.click(screen.getByRole('button', { name: 'Notify' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Notify' })).toHaveFocus();
});

describe('while a modal dialog is open', () => {
  function dialog(): HTMLDialogElement {
    const found = document.querySelector('dialog');
    if (!found) throw new Error('There is no dialog');
    return found;
  }

  function Cabin({ children }: { children?: ReactNode }) {
    return (
      <>
        <Controls />
        <button onClick={() => dialog().showModal()}>Open</button>
        <dialog>
          <button onClick={() => dialog().close()}>Close the dialog</button>
          {children}
        </dialog>
      </>
    );
  }

  /** Where the toasts' live regions stand. */
  const regions = () => document.querySelector('[aria-live="polite"]')?.parentElement;

  test('a toast is in it, for all outside of it is inert, and in its own place otherwise', async () => {
    const { user } = renderInSite(<Cabin />);
    const home = regions()?.parentElement;
    await user.click(screen.getByRole('button', { name: 'Open' }));
    press('Notify');
    await within(dialog()).findByText('The wind has turned.');
    expect(within(dialog()).getByRole('status')).toBeVisible();
    await user.click(within(dialog()).getByRole('button', { name: 'Close' }));
    expect(regions()?.parentElement).toBe(home);
  });

  test('the region stands in the dialog before the words, so that they are announced', async () => {
    const { user } = renderInSite(<Cabin />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    press('Notify');
    const region = await within(dialog()).findByRole('status');
    expect(region).not.toHaveTextContent('The wind has turned.');
    await waitFor(() => expect(region).toHaveTextContent('The wind has turned.'));
  });

  test('a toast goes along when a dialog opens and closes', async () => {
    const { user } = renderInSite(<Cabin />);
    press('Alert');
    const alert = await screen.findByRole('alert');
    expect(dialog()).not.toContainElement(alert);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await waitFor(() => expect(dialog()).toContainElement(alert));
    expect(screen.getByText('Man overboard!')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close the dialog' }));
    await waitFor(() => expect(dialog()).not.toContainElement(alert));
    expect(screen.getByText('Man overboard!')).toBeVisible();
  });

  test('of several dialogs the innermost has it', async () => {
    const { user } = renderInSite(
      <Cabin>
        <dialog open aria-label="Berth" />
      </Cabin>,
    );
    await user.click(screen.getByRole('button', { name: 'Open' }));
    press('Notify');
    const inner = await screen.findByRole('dialog', { name: 'Berth' });
    expect(await within(inner).findByText('The wind has turned.')).toBeVisible();
  });

  test('a toast outlives a dialog that is taken out of the page', async () => {
    const { user, rerender } = renderInSite(<Cabin />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    press('Notify');
    await within(dialog()).findByText('The wind has turned.');
    rerender(<Controls />);
    expect(await screen.findByText('The wind has turned.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText('The wind has turned.')).not.toBeInTheDocument();
  });
});

test.each([
  ['en', 'This opens when the community launches in 2025.'],
  ['cs', 'Tato část se otevře, až komunita v roce 2025 vypluje.'],
] as const)(
  'a control of a feature that is not open yet says when it opens (%s)',
  async (language, words) => {
    renderInSite(<Controls />, { language });
    press('Enroll');
    expect(await screen.findByRole('status')).toHaveTextContent(words);
  },
);

test('without a ToastProvider an error says what is missing', () => {
  expect(() => render(<Controls />)).toThrow('useToast must be used within a ToastProvider');
});
