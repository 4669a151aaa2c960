import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { object, string } from 'yup';

import { renderInSite } from '../test/render';
import { PasswordField } from '../ui/PasswordField';
import { TextField } from '../ui/TextField';
import { Form } from './Form';
import { useForm } from './useForm';

const schema = object({
  email: string().defined().required('auth.emailRequired'),
  password: string().defined().required('auth.passwordRequired'),
});

function SignIn({ send }: { send: (values: object) => Promise<void> }) {
  const { form, field } = useForm({
    initialValues: { email: '', password: '' },
    schema,
    limits: {},
    send,
    fallback: 'auth.signInFailed',
  });
  return (
    <Form form={form} actions={<button type="submit">Send</button>}>
      <TextField {...field('email')} label="Email" />
      <PasswordField {...field('password')} label="Password" revealLabel="Show" />
    </Form>
  );
}

/** Fill the fields as some password managers do: without an event. */
function fill() {
  screen.getByLabelText<HTMLInputElement>('Email').value = 'anna@example.org';
  screen.getByLabelText<HTMLInputElement>('Password').value = 'Blue-Water9!';
}

function show() {
  const send = vi.fn(() => Promise.resolve());
  return { send, ...renderInSite(<SignIn send={send} />) };
}

test('sends what was filled in without an event', async () => {
  const { send, user } = show();
  screen.getByRole('button', { name: 'Send' }).focus();
  fill();
  await user.keyboard('{Enter}');
  expect(send).toHaveBeenCalledExactlyOnceWith({ email: 'anna@example.org', password: 'Blue-Water9!' });
});

test('sends what was filled in before the page is rendered anew', async () => {
  document.body.innerHTML =
    '<div id="root"><input name="email"><input name="password" type="password"></div>';
  const [email, password] = document.querySelectorAll('input');
  Object.assign(email ?? {}, { value: 'anna@example.org' });
  Object.assign(password ?? {}, { value: 'Blue-Water9!' });
  const { send, user } = show();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).toHaveBeenCalledExactlyOnceWith({ email: 'anna@example.org', password: 'Blue-Water9!' });
  document.body.innerHTML = '';
});

test.each([
  ['showing the password', ''],
  ['typing into another field', 'x'],
])('%s keeps what was filled in without an event', async (_, typed) => {
  const { user } = show();
  screen.getByLabelText('Email').focus();
  fill();
  if (typed) await user.keyboard(typed);
  else await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(screen.getByLabelText('Email')).toHaveValue(`anna@example.org${typed}`);
  expect(screen.getByLabelText('Password')).toHaveValue('Blue-Water9!');
});

test('a press on the button does not move it by removing errors before the click', async () => {
  const { user } = show();
  const button = screen.getByRole('button', { name: 'Send' });
  await user.click(button);
  expect(screen.getByText('Email is required')).toBeVisible();
  fill();
  await user.pointer({ keys: '[MouseLeft>]', target: button });
  expect(screen.getByText('Email is required')).toBeVisible();
});
