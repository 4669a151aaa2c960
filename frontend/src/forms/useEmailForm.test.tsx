import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { renderToString } from 'react-dom/server';
import { IntlProvider } from 'react-intl';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { FormError } from '../lib/api/errors';
import { Text } from '../i18n/LanguageProvider';
import { catalogues } from '../test/catalogues';
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

/** The form on a page whose language can be switched. */
function Page({ send }: { send: Send }) {
  const [language, setLanguage] = useState<'en' | 'cs'>('en');
  return (
    <IntlProvider locale={language} messages={catalogues[language]} textComponent={Text}>
      <button onClick={() => setLanguage('cs')}>Czech</button>
      <EmailForm send={send} />
    </IntlProvider>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>('Email');
const alert = () => screen.getByRole('alert');

async function submit(typed: string, send: Send = () => Promise.resolve(undefined)) {
  const sent = vi.fn(send);
  const page = renderInSite(<Page send={sent} />);
  const region = field().form?.querySelector('[aria-live="polite"]');
  expect(region).toBeEmptyDOMElement();
  await page.user.click(field());
  if (typed) await page.user.paste(typed);
  await page.user.keyboard('{Enter}');
  return { ...page, region, send: sent, czech: () => page.user.click(screen.getByText('Czech')) };
}

describe('an invalid email', () => {
  test.each([
    [' ', 'Email is required'],
    ['nonsense', 'Please enter a valid email address'],
    ['jana@example', 'Please enter a valid email address'],
    [`${'a'.repeat(243)}@example.org`, 'Email must be at most 254 characters'],
  ])('%j is refused and announced under its field, which gets the focus', async (typed, message) => {
    const { region, send } = await submit(typed);
    expect(field()).toHaveFocus();
    expect(field()).toHaveAttribute('aria-invalid', 'true');
    expect(field()).toHaveAccessibleDescription(message);
    expect(region).toHaveTextContent(message);
    expect(alert()).toBeEmptyDOMElement();
    expect(send).not.toHaveBeenCalled();
  });

  test('has an error from the first submit until it is corrected', async () => {
    const { user } = await submit('jana');
    expect(field()).toHaveAttribute('aria-invalid', 'true');
    await user.type(field(), '@example.org');
    expect(field()).toHaveAccessibleDescription('');
  });

  test('does not take the focus from another field, and follows the language of the page', async () => {
    const { user, czech } = await submit('');
    await user.type(screen.getByLabelText('Berth'), '7');
    expect(screen.getByLabelText('Berth')).toHaveFocus();
    await czech();
    expect(field()).toHaveAccessibleDescription('E-mail je povinný');
  });
});

test.each(['jana+plavba@mail.example.co.uk', 'jana@ostrov-hvězd.example', `${'a'.repeat(242)}@example.org`])(
  'the email %j is sent without the spaces around it',
  async (address) => {
    const { send } = await submit(`\u00a0${address} `);
    expect(send).toHaveBeenCalledExactlyOnceWith(address, field().form);
  },
);

test('the code that sends is loaded ahead, silently', async () => {
  const { user } = renderInSite(<Page send={() => Promise.resolve(undefined)} />);
  expect(load).not.toHaveBeenCalled();
  await user.click(field());
  expect(load).toHaveBeenCalled();
});

test('the code that sends is loaded at once when the field had the focus before hydration', () => {
  const page = <Page send={() => Promise.resolve(undefined)} />;
  document.body.innerHTML = `<div>${renderToString(page)}</div>`;
  field().focus();
  render(page, { container: document.body.firstElementChild ?? undefined, hydrate: true });
  expect(load).toHaveBeenCalledOnce();
});

test('a form is sent once, however often it is submitted', async () => {
  let answer: (error: undefined) => void = () => undefined;
  const { send } = await submit('jana@example.org', () => new Promise((resolve) => (answer = resolve)));
  expect(screen.getByRole('button', { name: 'Sending' })).toBeVisible();
  act(() => field().form?.requestSubmit());
  act(() => answer(undefined));
  await act(() => Promise.resolve());
  expect(send).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Send' })).toBeVisible();
});

describe('an error of the server', () => {
  const reject = (isAboutEmail: boolean) => () =>
    Promise.resolve({ getMessage: () => 'The port is closed.', isAboutEmail });

  test('shows above the button, and the email can be sent again', async () => {
    const { send, user } = await submit('jana@example.org', reject(false));
    await waitFor(() => expect(alert()).toHaveTextContent(/^The port is closed\.$/));
    expect(field()).toHaveValue('jana@example.org');
    expect(field()).not.toHaveAttribute('aria-invalid');
    await user.keyboard('{Enter}');
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('about the email shows at the field', async () => {
    await submit('jana@example.org', reject(true));
    await waitFor(() => expect(field()).toHaveAccessibleDescription('The port is closed.'));
    expect(field()).toHaveFocus();
    expect(alert()).toBeEmptyDOMElement();
  });
});

const offline = Object.assign(new Error('Offline'), { name: 'ChunkLoadError', request: '/send.js' });
const broken = new TypeError('not a function');

test.each([
  ['a lost connection', offline, /^We can’t reach the server\./, /^Server není dostupný\./, []],
  ['code that fails', broken, /^Something went wrong\./, /^Něco se pokazilo\./, [[broken]]],
])('tells %s from other errors', async (_, failure, text, czechText, reports) => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const { czech } = await submit('jana@example.org', () => Promise.reject(failure));
  await waitFor(() => expect(alert()).toHaveTextContent(text));
  expect(reported.mock.calls).toEqual(reports);
  await czech();
  expect(alert()).toHaveTextContent(czechText);
});
