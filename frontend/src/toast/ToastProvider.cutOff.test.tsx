import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../test/render';
import { useToast } from './ToastProvider';

// The file that holds the card does not come: the network is away, or a deploy has removed it.
vi.mock('./Toast', () => {
  throw new Error('Gone');
});

function Controls() {
  const { notify, alert } = useToast();
  return (
    <>
      <button onClick={() => notify('The wind has turned.')}>Notify</button>
      <button onClick={() => alert('Man overboard!')}>Alert</button>
    </>
  );
}

test('a toast without its card is its words, shown and read out', async () => {
  const { user } = renderInSite(<Controls />);
  await user.click(screen.getByRole('button', { name: 'Notify' }));
  expect(await screen.findByRole('status')).toHaveTextContent(/^The wind has turned\.$/);
  expect(screen.getByText('The wind has turned.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Alert' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Man overboard!$/);
  expect(screen.queryByText('The wind has turned.')).not.toBeInTheDocument();
});

test.each(['a press elsewhere', 'Escape'])('%s takes it away', async (way) => {
  const { user } = renderInSite(<Controls />);
  await user.click(screen.getByRole('button', { name: 'Notify' }));
  expect(await screen.findByText('The wind has turned.')).toBeVisible();
  await (way === 'Escape' ? user.keyboard('{Escape}') : user.click(document.body));
  expect(screen.getByText('The wind has turned.')).not.toBeVisible();
});

test('the same words are shown anew when they are said again', async () => {
  const { user } = renderInSite(<Controls />);
  const button = screen.getByRole('button', { name: 'Notify' });
  await user.click(button);
  const first = await screen.findByText('The wind has turned.');
  await user.click(button);
  await vi.waitFor(() => expect(first).not.toBeInTheDocument());
  expect(screen.getByText('The wind has turned.')).toBeVisible();
});
