import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
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

function show(send = () => Promise.resolve()) {
  const sent = vi.fn(send);
  return { sent, ...renderInSite(<SignIn send={sent} />) };
}

/** Submit good values to a server with these answers. */
async function submitTo(...answers: Answer[]) {
  serveGraphQL(...answers);
  const page = show(async () => {
    await client.query({ query: MeDocument, fetchPolicy: 'no-cache', context: { retries: false } });
  });
  fill();
  await page.user.click(button());
  return page;
}

const refused = (message: string, extensions: object) => json({ errors: [{ message, extensions }] });

test('an invalid field has an error from the first submit on, counted in the live region; the first takes the focus', async () => {
  const { sent, user } = show();
  await user.type(passwordField(), '1');
  await user.tab();
  expect(passwordField()).not.toHaveAttribute('aria-invalid');
  await user.click(button());
  await waitFor(() => expect(emailField()).toHaveFocus());
  expect(emailField()).toHaveAttribute('aria-invalid', 'true');
  expect(emailField()).toHaveAccessibleDescription('Email is required');
  expect(passwordField()).toHaveAccessibleDescription('Password must be at least 6 characters');
  expect(announced()).toBe('2 fields need your attention.');
  expect(sent).not.toHaveBeenCalled();
});

test('an invalid field that changes has its error announced, and loses it when corrected', async () => {
  const { user } = show();
  await user.click(button());
  await waitFor(() => expect(emailField()).toHaveFocus());
  await user.type(emailField(), 'anna');
  await waitFor(() => expect(announced()).toBe('Invalid email address'));
  await user.type(emailField(), '@example.org');
  await waitFor(() => expect(announced()).toBe(''));
  expect(emailField()).not.toHaveAttribute('aria-invalid');
});

test('an invalid field keeps its error while the button is pressed, so that the button does not move before the click', async () => {
  const { user } = show();
  await user.click(button());
  expect(screen.getByText('Email is required')).toBeVisible();
  fill();
  await user.pointer({ keys: '[MouseLeft>]', target: button() });
  expect(screen.getByText('Email is required')).toBeVisible();
});

test('a form, filled in without an event, is sent once, and not again after it has been sent', async () => {
  const { answer, send } = later<undefined>();
  const { sent, user } = show(() => answer);
  fill();
  await user.dblClick(button());
  await screen.findByRole('button', { name: 'Sending' });
  act(() => emailField().form?.requestSubmit());
  act(() => send(undefined));
  await act(() => answer);
  await user.type(passwordField(), '{Enter}');
  expect(screen.getByRole('button', { name: 'Sending' })).toBeVisible();
  expect(sent).toHaveBeenCalledExactlyOnceWith(VALUES);
});

test('an error of the server shows above the button, keeps the values and the focus, and goes with the next change or submit', async () => {
  const refusal = () => refused('Too many attempts.', { code: 'RATE_LIMITED' });
  const { user } = await submitTo(refusal(), refusal(), later().answer);
  await waitFor(() => expect(alert()).toHaveTextContent(/^Too many attempts\.$/));
  expect([emailField().value, passwordField().value]).toEqual(Object.values(VALUES));
  expect(emailField()).not.toHaveAttribute('aria-invalid');
  expect(button()).toHaveFocus();
  await user.type(passwordField(), '?');
  expect(alert()).toBeEmptyDOMElement();
  await user.click(button());
  await waitFor(() => expect(alert()).toHaveTextContent('Too many attempts.'));
  await user.click(button());
  expect(await screen.findByRole('button', { name: 'Sending' })).toBeVisible();
  expect(alert()).toBeEmptyDOMElement();
});

test('an error of the server about a field shows at that field, which takes the focus, until the next change', async () => {
  const { user } = await submitTo(refused('No such port.', { code: 'BAD_USER_INPUT', field: 'email' }));
  await waitFor(() => expect(emailField()).toHaveAccessibleDescription('No such port.'));
  await waitFor(() => expect(emailField()).toHaveFocus());
  expect(alert()).toBeEmptyDOMElement();
  await user.type(emailField(), 'x');
  await waitFor(() => expect(emailField()).toHaveAccessibleDescription(''));
});

test('an error of the server about an unknown field is one of the form', async () => {
  await submitTo(refused('No such port.', { code: 'BAD_USER_INPUT', field: 'toString' }));
  await waitFor(() => expect(alert()).toHaveTextContent(/^No such port\.$/));
});

test('an error of the server without a message has the text of the form', async () => {
  await submitTo(new TypeError('Failed to fetch'));
  await waitFor(() => expect(alert()).toHaveTextContent(/^An error occurred during sign in\. Please check/));
});
