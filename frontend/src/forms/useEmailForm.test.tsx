import { act, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { IntlProvider } from 'react-intl';
import { beforeEach, expect, test, vi } from 'vitest';

import type { FormError } from '../lib/api/errors';
import { Text } from '../i18n/LanguageProvider';
import { catalogues } from '../test/catalogues';
import { later } from '../test/graphql';
import { renderInSite } from '../test/render';
import { TextField } from '../ui/Field';
import { Form } from './Form';
import { useEmailForm } from './useEmailForm';

type Send = (email: string) => Promise<FormError | undefined>;

const load = vi.fn(() => Promise.reject(new Error('Offline')));
beforeEach(() => void load.mockClear());

function EmailForm({ send }: { send: Send }) {
  const { form, field } = useEmailForm({ load, send });
  return (
    <Form
      form={form}
      action="/send"
      actions={<button type="submit">{form.pending ? 'Sending' : 'Send'}</button>}
    >
      <TextField {...field} label="Email" />
      <TextField name="berth" label="Berth" />
    </Form>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>('Email');
const alert = () => screen.getByRole('alert');

async function submit(typed: string, send: Send = () => Promise.resolve(undefined)) {
  const sent = vi.fn(send);
  const page = renderInSite(<EmailForm send={sent} />);
  expect(load).not.toHaveBeenCalled();
  await page.user.click(field());
  if (typed) await page.user.paste(typed);
  await page.user.keyboard('{Enter}');
  return { ...page, sent };
}

test.each([
  [' ', 'Email is required'],
  ['nonsense', 'Please enter a valid email address'],
  ['jana@example', 'Please enter a valid email address'],
  [`${'a'.repeat(243)}@example.org`, 'Email must be at most 254 characters'],
])('%j is refused and announced under its field, which keeps the focus', async (typed, message) => {
  const { sent } = await submit(typed);
  expect(field()).toHaveFocus();
  expect(field()).toHaveAttribute('aria-invalid', 'true');
  expect(field()).toHaveAccessibleDescription(message);
  expect(field().form?.querySelector('[aria-live="polite"]')).toHaveTextContent(message);
  expect(alert()).toBeEmptyDOMElement();
  expect(sent).not.toHaveBeenCalled();
});

test('an email has an error from the first submit until it is corrected, which takes no focus', async () => {
  const { user } = await submit('jana');
  await user.type(field(), '@example');
  expect(field()).toHaveAttribute('aria-invalid', 'true');
  await user.type(screen.getByLabelText('Berth'), '7');
  expect(screen.getByLabelText('Berth')).toHaveFocus();
  await user.type(field(), '.org');
  expect(field()).toHaveAccessibleDescription('');
});

test.each(['jana+plavba@mail.example.co.uk', 'jana@ostrov-hvězd.example', `${'a'.repeat(242)}@example.org`])(
  'the email %j is sent without the spaces around it',
  async (address) => {
    const { sent } = await submit(`\u00a0${address} `);
    expect(sent).toHaveBeenCalledExactlyOnceWith(address, field().form);
  },
);

test('the code that sends is loaded at once when the field had the focus before hydration', () => {
  const page = (
    <IntlProvider locale="en" messages={catalogues.en} textComponent={Text}>
      <EmailForm send={() => Promise.resolve(undefined)} />
    </IntlProvider>
  );
  document.body.innerHTML = `<div>${renderToString(page)}</div>`;
  field().focus();
  render(page, { container: document.body.firstElementChild ?? undefined, hydrate: true });
  expect(load).toHaveBeenCalledOnce();
});

test('a form is sent once, however often it is submitted', async () => {
  const { answer, send } = later<undefined>();
  const { sent } = await submit('jana@example.org', () => answer);
  expect(screen.getByRole('button', { name: 'Sending' })).toBeVisible();
  act(() => field().form?.requestSubmit());
  act(() => send(undefined));
  await act(() => answer);
  expect(sent).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Send' })).toBeVisible();
});

const offline = Object.assign(new Error('Offline'), { name: 'ChunkLoadError', request: '/send.js' });
const broken = new TypeError('not a function');
const reject = () => Promise.resolve({ getMessage: () => 'The port is closed.', isAboutEmail: false });

test.each<[string, Send, RegExp, reports?: unknown[]]>([
  ['an error of the server', reject, /^The port is closed\.$/],
  ['a lost connection', () => Promise.reject(offline), /^We can’t reach the server\./],
  ['code that fails', () => Promise.reject(broken), /^Something went wrong\./, [[broken]]],
])('%s shows above the button, and the email can be sent again', async (_, send, text, reports = []) => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const { sent, user } = await submit('jana@example.org', send);
  await waitFor(() => expect(alert()).toHaveTextContent(text));
  expect(reported.mock.calls).toEqual(reports);
  expect(field()).toHaveValue('jana@example.org');
  expect(field()).not.toHaveAttribute('aria-invalid');
  await user.keyboard('{Enter}');
  expect(sent).toHaveBeenCalledTimes(2);
});
