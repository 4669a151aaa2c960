import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { object } from 'yup';

import { client } from '../lib/api/client';
import { MeDocument } from '../lib/api/generated';
import { type Answer, json, later, serveGraphQL } from '../test/graphql';
import { renderInSite } from '../test/render';
import { PasswordField } from '../ui/PasswordField';
import { TextField } from '../ui/Field';
import { Form } from './Form';
import { useForm } from './useForm';
import { email, password } from './validation/schemas';

const schema = object({ email: email(), password: password(6, 'auth.signInPasswordTooShort') });

const VALUES = { email: 'anna@example.org', password: 'Blue-Water9!' };

function SignIn({ send }: { send: (values: object) => Promise<void> }) {
  const { form, field } = useForm({
    initialValues: { email: '', password: '' },
    schema,
    send,
    fallback: 'auth.signInFailed',
  });
  return (
    <Form form={form} actions={<button type="submit">{form.pending ? 'Sending' : 'Send'}</button>}>
      <TextField {...field('email')} label="Email" />
      <PasswordField {...field('password')} label="Password" revealLabel="Show" />
    </Form>
  );
}

const emailField = () => screen.getByLabelText<HTMLInputElement>('Email');
const passwordField = () => screen.getByLabelText<HTMLInputElement>('Password');
const button = () => screen.getByRole('button', { name: 'Send' });
const alert = () => screen.getByRole('alert');
const announced = () => emailField().form?.querySelector('[aria-live="polite"]')?.textContent;

/** Fill the fields as some password managers do: without an event. */
function fill() {
  emailField().value = VALUES.email;
  passwordField().value = VALUES.password;
}

function show(send = () => Promise.resolve(), language: 'en' | 'cs' = 'en') {
  const sent = vi.fn(send);
  return { send: sent, ...renderInSite(<SignIn send={sent} />, { language }) };
}

/** Submit good values to a server with these answers. */
async function submitTo(...answers: Answer[]) {
  const calls = serveGraphQL(...answers);
  const page = show(async () => {
    await client.query({ query: MeDocument, fetchPolicy: 'no-cache', context: { retries: false } });
  });
  fill();
  await page.user.click(button());
  return { ...page, calls };
}

const refused = (message: string, extensions: object) => json({ errors: [{ message, extensions }] });

describe('what is filled in', () => {
  test('without an event is sent', async () => {
    const { send, user } = show();
    button().focus();
    fill();
    await user.keyboard('{Enter}');
    expect(send).toHaveBeenCalledExactlyOnceWith(VALUES);
  });
});

test('a keystroke validates the form once', async () => {
  const validate = vi.spyOn(schema, 'validate');
  const { user } = show();
  await user.type(emailField(), 'a');
  await act(() => Promise.resolve());
  expect(validate).toHaveBeenCalledOnce();
});

describe('an invalid field', () => {
  test('has an error from the first submit on, counted in the live region; the first takes the focus', async () => {
    const { send, user } = show();
    await user.type(passwordField(), '1');
    await user.tab();
    expect(passwordField()).not.toHaveAttribute('aria-invalid');
    await user.click(button());
    await waitFor(() => expect(emailField()).toHaveFocus());
    expect(emailField()).toHaveAttribute('aria-invalid', 'true');
    expect(emailField()).toHaveAccessibleDescription('Email is required');
    expect(passwordField()).toHaveAccessibleDescription('Password must be at least 6 characters');
    expect(announced()).toBe('2 fields need your attention.');
    expect(send).not.toHaveBeenCalled();
  });

  test('that changes has its error announced, and loses it when corrected', async () => {
    const { user } = show();
    await user.click(button());
    await waitFor(() => expect(emailField()).toHaveFocus());
    await user.type(emailField(), 'anna');
    await waitFor(() => expect(announced()).toBe('Invalid email address'));
    await user.type(emailField(), '@example.org');
    await waitFor(() => expect(announced()).toBe(''));
    expect(emailField()).not.toHaveAttribute('aria-invalid');
    await user.click(button());
    await waitFor(() => expect(announced()).toBe('1 field needs your attention.'));
  });

  test('names the limit, in the language of the page', async () => {
    const { user } = show(undefined, 'cs');
    await user.click(passwordField());
    await user.paste('x'.repeat(129));
    await user.click(button());
    await waitFor(() => expect(emailField()).toHaveAccessibleDescription('E-mail je povinný'));
    expect(passwordField()).toHaveAccessibleDescription(/128/);
  });

  test('keeps its error while the button is pressed, so that the button does not move before the click', async () => {
    const { user } = show();
    await user.click(button());
    expect(screen.getByText('Email is required')).toBeVisible();
    fill();
    await user.pointer({ keys: '[MouseLeft>]', target: button() });
    expect(screen.getByText('Email is required')).toBeVisible();
  });
});

test('a form is sent once, however often it is submitted, and not again after it has been sent', async () => {
  let succeed: () => void = () => undefined;
  const { send, user } = show(() => new Promise<void>((resolve) => (succeed = resolve)));
  fill();
  await user.dblClick(button());
  const pending = await screen.findByRole('button', { name: 'Sending' });
  await waitFor(() => expect(send).toHaveBeenCalled());
  act(() => emailField().form?.requestSubmit());
  act(() => succeed());
  await act(() => Promise.resolve());
  await user.type(passwordField(), '{Enter}');
  expect(pending).toHaveTextContent('Sending');
  expect(send).toHaveBeenCalledOnce();
});

describe('an error of the server', () => {
  test('shows above the button, keeps the values and the focus, and goes with the next change', async () => {
    const me = json({ data: { me: {} } });
    const { user, calls } = await submitTo(refused('Too many attempts.', { code: 'RATE_LIMITED' }), me);
    await waitFor(() => expect(alert()).toHaveTextContent(/^Too many attempts\.$/));
    expect(emailField()).toHaveValue(VALUES.email);
    expect(passwordField()).toHaveValue(VALUES.password);
    expect(emailField()).not.toHaveAttribute('aria-invalid');
    expect(button()).toHaveFocus();
    await user.type(passwordField(), '?');
    expect(alert()).toBeEmptyDOMElement();
    await user.click(button());
    expect(await screen.findByRole('button', { name: 'Sending' })).toBeVisible();
    expect(calls).toHaveLength(2);
  });

  test('goes with the next submit', async () => {
    const { user } = await submitTo(refused('Too many attempts.', { code: 'RATE_LIMITED' }), later().answer);
    await waitFor(() => expect(alert()).toHaveTextContent('Too many attempts.'));
    await user.click(button());
    expect(await screen.findByRole('button', { name: 'Sending' })).toBeVisible();
    expect(alert()).toBeEmptyDOMElement();
  });

  test('about a field shows at that field, which takes the focus, until the next change', async () => {
    const { user } = await submitTo(refused('No such port.', { code: 'BAD_USER_INPUT', field: 'email' }));
    await waitFor(() => expect(emailField()).toHaveAccessibleDescription('No such port.'));
    await waitFor(() => expect(emailField()).toHaveFocus());
    expect(alert()).toBeEmptyDOMElement();
    await user.type(emailField(), 'x');
    await waitFor(() => expect(emailField()).toHaveAccessibleDescription(''));
  });

  test.each<[string, Answer, string]>([
    [
      'about an unknown field',
      refused('No such port.', { code: 'BAD_USER_INPUT', field: 'toString' }),
      'No such port.',
    ],
    ['without a message', json({ errors: [{ message: '' }] }), 'An error occurred during sign in'],
    [
      'after a lost connection',
      new TypeError('Failed to fetch'),
      'An error occurred during sign in. Please check your connection and try again.',
    ],
  ])('%s is one of the form', async (_, answer, message) => {
    await submitTo(answer);
    await waitFor(() => expect(alert().textContent).toBe(message));
  });
});
