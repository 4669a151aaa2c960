import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../../test/render';
import { useGoBack } from './navigation';
import { useUrlState } from './useUrlState';

function BackButton() {
  return <button onClick={useGoBack()}>Back</button>;
}

const LANDING = '/landing-sailors';

test.each([
  ['back to the previous page', [LANDING, '/newsletter'], undefined, LANDING],
  ['home on the first page of a visit', ['/newsletter'], undefined, '/'],
  ['home when the Navigation API has no previous entry', [LANDING, '/newsletter'], { canGoBack: false }, '/'],
])('goes %s', async (_, history, navigation, expected) => {
  if (navigation) vi.stubGlobal('navigation', navigation);
  const { user, path } = renderInSite(<BackButton />, { history });
  await user.click(screen.getByRole('button'));
  expect(path()).toBe(expected);
});

test('goes back across a full page load with the Navigation API', async () => {
  vi.stubGlobal('navigation', { canGoBack: true });
  const go = vi.spyOn(window.history, 'go');
  render(<BackButton />, { wrapper: BrowserRouter });
  await userEvent.click(screen.getByRole('button'));
  expect(go).toHaveBeenCalledExactlyOnceWith(-1);
});

const FILTER = { q: (text: string) => text, type: (text: string) => text };

function Page() {
  const { state, change } = useUrlState(FILTER);
  const { search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <input aria-label="q" value={state.q} onChange={({ target }) => change({ q: target.value })} />
      <output aria-label="type">{state.type}</output>
      <output aria-label="url">{search}</output>
      <button onClick={() => change({ type: 'yacht' })}>Yacht</button>
      <button onClick={() => change({ type: '' })}>All</button>
      <button onClick={() => void navigate(-1)}>Back</button>
      <button onClick={() => void navigate('/page?type=race')}>Link</button>
    </>
  );
}

function show(search = '') {
  const { user, path } = renderInSite(<Page />, { history: ['/', `/page${search}`] });
  return { user, path, press: (name: string) => user.click(screen.getByRole('button', { name })) };
}

const field = () => screen.getByLabelText<HTMLInputElement>('q');
const type = () => screen.getByLabelText('type').textContent;
const url = () => screen.getByLabelText('url').textContent;

test('changes show at once, and the URL follows, seldom while there are many, in the same history entry', async () => {
  const { user, path, press } = show();
  const writes = new Set<string>();
  const observer = new MutationObserver(() => writes.add(url()));
  observer.observe(screen.getByLabelText('url'), { childList: true, characterData: true, subtree: true });
  await press('Yacht');
  await waitFor(() => expect(url()).toBe('?type=yacht'), { timeout: 300 });
  await user.type(field(), 'bora');
  expect(field()).toHaveValue('bora');
  expect(type()).toBe('yacht');
  await waitFor(() => expect(url()).toBe('?q=bora&type=yacht'));
  expect([...writes]).toEqual(['?type=yacht', '?q=bora&type=yacht']);
  expect(field()).toHaveValue('bora');
  await press('Back');
  expect(path()).toBe('/');
});

test('a change keeps the parameters of others', async () => {
  const { press } = show('?type=race&source=mail&q=bora');
  await press('All');
  await waitFor(() => expect(url()).toBe('?source=mail&q=bora'));
});

test('an entry with a fragment stays as it is', async () => {
  const { press } = show('?q=bora#privacy');
  await press('Yacht');
  await new Promise((resolve) => setTimeout(resolve, 500)); // longer than between two writes
  expect(url()).toBe('?q=bora');
});

test('the state follows the URL', async () => {
  const { press } = show('?q=bora');
  expect(field()).toHaveValue('bora');
  await press('Link');
  expect([field().value, type()]).toEqual(['', 'race']);
});
