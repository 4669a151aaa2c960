import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { useToast } from './ToastProvider';
import { useOpensAtLaunch } from '../shell/useOpensAtLaunch';

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
const getRegion = (live: 'polite' | 'assertive') =>
  document.querySelector<HTMLElement>(`[aria-live="${live}"]`) ?? document.body;

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

test('only the latest toast shows, and the same text again is a new one', async () => {
  renderInSite(<Controls />);
  press('Notify');
  const first = await screen.findByText('The wind has turned.');
  press('Notify');
  await waitFor(() => expect(first).not.toBeInTheDocument());
  await screen.findByText('The wind has turned.');
  press('Alert');
  await screen.findByText('Man overboard!');
  expect(getRegion('polite')).toBeEmptyDOMElement();
  press('Close');
  expect(getRegion('assertive')).toBeEmptyDOMElement();
});

test('a toast disappears after six seconds without focus; one of something pending stays until the next', async () => {
  renderInSite(<Controls />);
  vi.useFakeTimers();
  const passTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  press('Notify');
  await passTime(100);
  await passTime(DURATION_MS - 1);
  expect(getRegion('polite')).not.toBeEmptyDOMElement();
  await passTime(1);
  expect(getRegion('polite')).toBeEmptyDOMElement();
  press('Wait');
  await passTime(100);
  await passTime(DURATION_MS);
  expect(getRegion('polite')).toHaveTextContent('Weighing anchor...');
  press('Alert');
  await passTime(100);
  expect(getRegion('polite')).toBeEmptyDOMElement();

  const before = screen.getByRole('button', { name: 'Notify' });
  before.focus();
  screen.getByRole('button', { name: 'Close' }).focus();
  await passTime(2 * DURATION_MS);
  press('Close');
  expect(before).toHaveFocus();
  expect(getRegion('assertive')).toBeEmptyDOMElement();
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

test('the live region is in the innermost dialog, because everything outside is inert, and leaves it when it closes', async () => {
  renderInSite(
    <>
      <Controls />
      <dialog open>
        <dialog open aria-label="Inner" />
      </dialog>
    </>,
  );
  press('Alert');
  const inner = screen.getByRole('dialog', { name: 'Inner' });
  const region = inner.querySelector('[aria-live="assertive"]');
  expect(region).toBeEmptyDOMElement();
  expect(await within(inner).findByRole('alert')).toBe(region);
  inner.removeAttribute('open');
  fireEvent(inner, new Event('close'));
  expect(inner).not.toContainElement(screen.getByText('Man overboard!'));
});

test('useOpensAtLaunch says when a feature opens', async () => {
  renderInSite(<Controls />);
  press('Enroll');
  expect(await screen.findByRole('status')).toHaveTextContent('This opens when the community launches.');
});

test('useToast throws outside a ToastProvider', () => {
  expect(() => render(<Controls />)).toThrow('useToast must be used within a ToastProvider');
});
