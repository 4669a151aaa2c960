import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { expect, test, vi } from 'vitest';

import { renderInSite } from '../../test/render';
import { ShownLocationContext } from './shownLocation';
import { type Readers, useUrlState } from './useUrlState';

interface Filter {
  q: string;
  type: string;
}

const FILTER: Readers<Filter> = { q: (text) => text, type: (text) => text };

function Page() {
  const { state, commit, setDraft } = useUrlState(FILTER);
  const { search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <input aria-label="q" value={state.q} onChange={({ target }) => setDraft({ q: target.value })} />
      <output aria-label="type">{state.type}</output>
      <output aria-label="url">{search}</output>
      <button onClick={() => commit({ type: 'yacht' })}>Yacht</button>
      <button onClick={() => commit({ type: '' })}>All</button>
      <button onClick={() => commit({ type: 'trip' }, { replace: true })}>Trip</button>
      <button onClick={() => void navigate(-1)}>Back</button>
      <button onClick={() => void navigate('/page?type=race')}>Link</button>
    </>
  );
}

function show(search = '') {
  return renderInSite(<Page />, { history: ['/', `/page${search}`] });
}

const field = () => screen.getByLabelText<HTMLInputElement>('q');
const type = () => screen.getByLabelText('type').textContent;
const url = () => screen.getByLabelText('url').textContent;
const button = (name: string) => screen.getByRole('button', { name });

test('the state is read from the URL', () => {
  show('?q=bora&type=yacht');
  expect(field()).toHaveValue('bora');
  expect(type()).toBe('yacht');
});

test('a commit adds a history entry that Back undoes', async () => {
  const { user } = show();
  await user.click(button('Yacht'));
  expect(url()).toBe('?type=yacht');
  await user.click(button('Back'));
  expect(type()).toBe('');
  expect(url()).toBe('');
});

test.each(['All', 'Trip'])('%s, which changes nothing or replaces, adds no history entry', async (name) => {
  const { user, path } = show();
  await user.click(button(name));
  await user.click(button('Back'));
  expect(path()).toBe('/');
});

test('a commit keeps the parameters of others', async () => {
  const { user } = show('?type=race&source=mail&q=bora');
  await user.click(button('Yacht'));
  expect(url()).toBe('?source=mail&q=bora&type=yacht');
  await user.click(button('All'));
  expect(url()).toBe('?source=mail&q=bora');
});

test('a link to another query changes the state', async () => {
  const { user } = show('?q=bora');
  await user.click(button('Link'));
  expect(field()).toHaveValue('');
  expect(type()).toBe('race');
});

test('a draft replaces the URL once nothing is typed, without a history entry', async () => {
  const { user, path } = show();
  await user.type(field(), 'bora');
  expect(field()).toHaveValue('bora');
  expect(url()).toBe('');
  await waitFor(() => expect(url()).toBe('?q=bora'));
  expect(field()).toHaveValue('bora');
  await user.click(button('Yacht'));
  expect(url()).toBe('?q=bora&type=yacht');
  await user.click(button('Back'));
  expect(url()).toBe('?q=bora');
  await user.click(button('Back'));
  expect(path()).toBe('/');
});

test('a commit writes the draft into the entry that it leaves', async () => {
  const { user } = show();
  await user.type(field(), 'bora');
  await user.click(button('Yacht'));
  expect(url()).toBe('?q=bora&type=yacht');
  await user.click(button('Back'));
  expect(url()).toBe('?q=bora');
  expect(field()).toHaveValue('bora');
});

function HeldPage() {
  const [held] = useState(useLocation());
  return (
    <ShownLocationContext value={held}>
      <Page />
    </ShownLocationContext>
  );
}

test('a draft stays out of the address of a page that is loading', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { path } = renderInSite(<HeldPage />, { history: ['/', '/page'] });
  fireEvent.change(field(), { target: { value: 'bora' } });
  fireEvent.click(button('Back'));
  act(() => void vi.advanceTimersByTime(1000));
  vi.useRealTimers();
  expect(path()).toBe('/');
  expect(url()).toBe('');
  expect(field()).toHaveValue('bora');
});
