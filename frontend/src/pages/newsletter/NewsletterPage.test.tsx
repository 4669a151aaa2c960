import { act, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { isServerReachable, loadChunk } from '../../lazy/loadChunk';
import { client } from '../../graphql/client';
import { trackedEvents } from '../../test/analytics';
import { json, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { NewsletterPage } from './NewsletterPage';

vi.mock('../../lazy/loadChunk', { spy: true });

// Only the clock stands still: a form shown long enough ago is sent without waiting.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const subscribed = () => json({ data: { subscribeNewsletter: { success: true, message: 'Subscribed' } } });
const refused = (message: string) => json({ data: { subscribeNewsletter: { success: false, message } } });

function showPage(options?: Parameters<typeof renderInSite>[1]) {
  const page = renderInSite(<NewsletterPage />, options);
  vi.advanceTimersByTime(4000);
  return page;
}

const email = () => screen.getByLabelText<HTMLInputElement>('Email');

function honeypot(): HTMLElement {
  const [field] = document.getElementsByName('website');
  if (!field) throw new Error('There is no honeypot');
  return field;
}

const submit = () => screen.getByRole('button', { name: 'Join the Community' });

/** A promise that a test settles when it likes. */
function gate<Value = undefined>() {
  let open: (value: Value) => void = () => undefined;
  const opened = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('what is asked', () => {
  test("'I am a' offers Sailor and Company, and Sailor is chosen at first", () => {
    showPage();
    const choices = within(screen.getByRole('group', { name: 'I am a' }));
    expect(choices.getAllByRole('radio')).toHaveLength(2);
    expect(choices.getByRole('radio', { name: 'Sailor' })).toBeChecked();
    expect(choices.getByRole('radio', { name: 'Company' })).not.toBeChecked();
  });

  test.each([
    ['?source=landing-companies', 'Company', 'landing-companies'],
    ['?source=landing-sailors', 'Sailor', 'landing-sailors'],
    ['?source=elsewhere', 'Sailor', ''],
  ])(
    'with the query %s %s is chosen at first, and the browser sends the source %j',
    (query, choice, source) => {
      showPage({ history: [`/newsletter${query}`] });
      expect(screen.getByRole('radio', { name: choice })).toBeChecked();
      const form = new FormData(email().form ?? undefined);
      expect(form.getAll('source')).toEqual([source]);
    },
  );

  test('the browser itself can send the form, in the language of the page', () => {
    showPage({ language: 'cs' });
    const form = screen.getByLabelText<HTMLInputElement>('E-mail').form;
    expect(form).toHaveAttribute('method', 'post');
    expect(form).toHaveAttribute('action', '/newsletter/subscribe/?lang=cs');
    expect([...new FormData(form ?? undefined).keys()]).toEqual(['userType', 'email', 'website', 'source']);
    expect(screen.getByRole('button', { name: 'Přidat se ke komunitě' })).toBeEnabled();
  });

  test('the honeypot is met by no person', async () => {
    const { user } = showPage();
    expect(honeypot()).toHaveAttribute('aria-hidden', 'true');
    email().focus();
    await user.tab();
    expect(submit()).toHaveFocus();
  });

  test('the Back button returns to the previous page', async () => {
    const { user, path } = showPage({ history: ['/landing-sailors', '/newsletter'] });
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(path()).toBe('/landing-sailors');
  });
});

describe('what is refused', () => {
  test.each([
    ['a blank email', ' ', 'Email is required'],
    ['a malformed email', 'nonsense', 'Please enter a valid email address'],
    ['an email that is too long', `${'a'.repeat(243)}@example.org`, 'Email must be at most 254 characters'],
  ])('%s is refused under its field, which gets the focus', async (_, typed, message) => {
    const calls = serveGraphQL();
    const { user } = showPage();
    await user.click(email());
    await user.paste(typed);
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveFocus());
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    expect(email()).toHaveAccessibleDescription(message);
    expect(submit()).not.toHaveAttribute('aria-disabled');
    expect(calls).toEqual([]);
  });

  test('an error is announced: its region stands there before its text', async () => {
    const { user } = showPage();
    const region = email().form?.querySelector('[aria-live="polite"]');
    expect(region).toBeEmptyDOMElement();
    await user.click(submit());
    await waitFor(() => expect(region).toHaveTextContent('Email is required'));
  });

  test('nothing is called wrong before the visitor submits', async () => {
    const { user } = showPage();
    await user.type(email(), 'nonsense');
    await user.tab();
    await act(() => vi.dynamicImportSettled());
    expect(email()).not.toHaveAttribute('aria-invalid');
  });

  test('an error goes as soon as the email is right', async () => {
    const { user } = showPage();
    await user.type(email(), 'jana');
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAttribute('aria-invalid', 'true'));
    await user.type(email(), '@example.org');
    await waitFor(() => expect(email()).not.toHaveAttribute('aria-invalid'));
    expect(email()).toHaveAccessibleDescription('');
  });

  test('an error follows the language of the page', async () => {
    const { user } = showPage({ language: 'cs' });
    await user.click(screen.getByRole('button', { name: 'Přidat se ke komunitě' }));
    await waitFor(() =>
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('E-mail je povinný'),
    );
  });
});

describe('words of ours that tell of an error follow the language of the page', () => {
  /** The page with its messages in whichever language it has, as the product shows it. */
  function showPart() {
    const page = renderInSite(<NewsletterPage />);
    vi.advanceTimersByTime(4000);
    return page;
  }

  async function switchToCzech(user: UserEvent) {
    await user.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Čeština' }));
    await screen.findByRole('button', { name: 'Přidat se ke komunitě' });
  }

  test('of a field', async () => {
    const { user } = showPart();
    await user.click(submit());
    await waitFor(() => expect(email()).toHaveAccessibleDescription('Email is required'));
    await switchToCzech(user);
    await waitFor(() =>
      expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('E-mail je povinný'),
    );
  });

  test.each<[string, Response | Error, string, string]>([
    ['of a refusal', refused(''), 'Failed to subscribe', 'Přihlášení k odběru se nezdařilo'],
    [
      'of a server out of reach',
      new TypeError('Failed to fetch'),
      'The server cannot be reached. Please check your connection and try again.',
      'Server není dostupný. Zkontrolujte prosím připojení a zkuste to znovu.',
    ],
  ])('%s', async (_, answer, english, czech) => {
    serveGraphQL(answer);
    const { user } = showPart();
    await user.type(email(), 'jana@example.org{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(english));
    await switchToCzech(user);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(czech));
  });

  test('of a form that cannot come to life', async () => {
    vi.mocked(loadChunk).mockRejectedValue(new Error('Loading chunk newsletter-form failed'));
    vi.mocked(isServerReachable).mockResolvedValue(false);
    const { user } = showPart();
    await user.type(email(), 'jana@example.org{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The server cannot be reached.'));
    vi.mocked(loadChunk).mockReset();
    await switchToCzech(user);
    expect(screen.getByRole('alert')).toHaveTextContent('Server není dostupný.');
  });

  test("the server's own words stay as they came", async () => {
    serveGraphQL(refused('The port is closed.'));
    const { user } = showPart();
    await user.type(email(), 'jana@example.org{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
    await switchToCzech(user);
    expect(screen.getByRole('alert')).toHaveTextContent('The port is closed.');
  });
});

describe('what is sent', () => {
  test('the email without the space around it, the choice, the source, the honeypot and the fill time', async () => {
    const calls = serveGraphQL(subscribed());
    const { user } = showPage({
      history: ['/newsletter?source=landing-companies'],
    });
    await user.click(email());
    // A no-break space, as word processors leave it; plain ones the browser itself takes off.
    await user.paste('\u00a0jana@example.org\u00a0');
    await user.click(submit());
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ operationName: 'SubscribeNewsletter' });
    expect(calls[0]?.variables).toEqual({
      input: {
        userType: 'company',
        email: 'jana@example.org',
        website: '',
        source: 'landing-companies',
        fillTime: 4000,
      },
    });
  });

  test('no source when no landing page led here', async () => {
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    await user.type(email(), 'jana@example.org{Enter}');
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls[0]?.variables).toMatchObject({ input: { userType: 'sailor', source: null } });
  });

  test('what a program wrote into the honeypot, as it is', async () => {
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    await user.type(honeypot(), 'https://spam.example');
    await user.type(email(), 'jana@example.org{Enter}');
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls[0]?.variables).toMatchObject({ input: { website: 'https://spam.example' } });
  });

  test('once, on a double click', async () => {
    const answer = gate<Response>();
    const calls = serveGraphQL(answer.opened);
    const { user } = showPage();
    await user.type(email(), 'jana@example.org');
    await user.dblClick(submit());
    await waitFor(() => expect(calls).toHaveLength(1));
    await user.keyboard('{Enter}');
    answer.open(subscribed());
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls).toHaveLength(1);
  });

  test('once, when something else than the button submits the form meanwhile', async () => {
    const answer = gate<Response>();
    const calls = serveGraphQL(answer.opened);
    const { user } = showPage();
    await user.type(email(), 'jana@example.org{Enter}');
    await waitFor(() => expect(calls).toHaveLength(1));
    act(() => email().form?.requestSubmit());
    answer.open(subscribed());
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls).toHaveLength(1);
  });

  test('once, when Enter is pressed twice before the form has come to life', async () => {
    const chunk = gate();
    vi.mocked(loadChunk).mockImplementation(async (load) => {
      await chunk.opened;
      return load();
    });
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    await user.type(email(), 'jana@example.org{Enter}{Enter}');
    chunk.open(undefined);
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls).toHaveLength(1);
  });
});

describe('while it is under way', () => {
  test('the button says so and keeps the focus', async () => {
    const answer = gate<Response>();
    serveGraphQL(answer.opened);
    const { user } = showPage();
    await user.type(email(), 'jana@example.org');
    await user.click(submit());
    const pending = await screen.findByRole('button', { name: 'Joining...' });
    expect(pending).toHaveFocus();
    expect(pending).toHaveAttribute('aria-disabled', 'true');
    answer.open(subscribed());
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
  });

  test('a form sent before it has come to life is pending, and sent when it has', async () => {
    const chunk = gate();
    vi.mocked(loadChunk).mockImplementation(async (load) => {
      await chunk.opened;
      return load();
    });
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    await user.type(email(), 'jana@example.org{Enter}');
    expect(screen.getByRole('button', { name: 'Joining...' })).toBeVisible();
    expect(calls).toEqual([]);
    chunk.open(undefined);
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls[0]?.variables).toMatchObject({ input: { email: 'jana@example.org' } });
  });
});

describe('what was filled in', () => {
  test('survives the coming of the form to life, in the same fields', async () => {
    const chunk = gate();
    vi.mocked(loadChunk).mockImplementation(async (load) => {
      await chunk.opened;
      return load();
    });
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    const field = email();
    await user.click(screen.getByRole('radio', { name: 'Company' }));
    await user.type(field, 'jana@exam');
    chunk.open(undefined);
    await act(() => vi.dynamicImportSettled());
    expect(email()).toBe(field);
    expect(field).toHaveFocus();
    await user.keyboard('ple.org{Enter}');
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls[0]?.variables).toMatchObject({ input: { email: 'jana@example.org', userType: 'company' } });
  });

  test('survives a failed send, and is sent by the next try', async () => {
    const calls = serveGraphQL(new TypeError('Failed to fetch'), subscribed());
    const { user } = showPage();
    await user.click(screen.getByRole('radio', { name: 'Company' }));
    await user.type(email(), 'jana@example.org{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
    expect(email()).toHaveValue('jana@example.org');
    expect(screen.getByRole('radio', { name: 'Company' })).toBeChecked();
    await user.click(await screen.findByRole('button', { name: 'Join the Community' }));
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(calls[1]?.variables).toEqual(calls[0]?.variables);
  });
});

describe('what the server answers', () => {
  async function send(...answers: Parameters<typeof serveGraphQL>) {
    serveGraphQL(...answers);
    const page = showPage();
    await page.user.type(email(), 'jana@example.org{Enter}');
    return page;
  }

  test('a subscription taken replaces the form with the confirmation and a way home', async () => {
    const { user, path } = await send(subscribed());
    const heading = await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(heading).toHaveFocus();
    expect(screen.getByText('Subscription Confirmed!')).toBeVisible();
    expect(screen.getByText('Check your email for a welcome message.')).toBeVisible();
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back to Home' }));
    expect(path()).toBe('/');
  });

  test('a subscription taken is announced', async () => {
    await send(subscribed());
    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'Subscription Confirmed! Check your email for a welcome message.',
      ),
    );
  });

  test('a subscription not taken is answered with the returned message', async () => {
    await send(refused('The port is closed.'));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/^The port is closed\.$/));
    expect(email()).not.toHaveAttribute('aria-invalid');
  });

  test("a subscription not taken without a message is answered with 'Failed to subscribe'", async () => {
    await send(refused(''));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/^Failed to subscribe$/));
  });

  test.each([
    ['with status 200', json({ data: null, errors: [{ message: 'First.' }, { message: 'Second.' }] })],
    [
      'with status 429',
      json({ errors: [{ message: 'First.', extensions: { code: 'RATE_LIMITED' } }] }, { status: 429 }),
    ],
    [
      'with status 503, as plain JSON',
      json({ errors: [{ message: 'First.' }] }, { status: 503, type: 'application/json' }),
    ],
  ])("the server's first error message is shown, %s", async (_, answer) => {
    await send(answer);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/^First\.$/));
  });

  test('an error about the email shows under its field', async () => {
    const extensions = { code: 'BAD_USER_INPUT', field: 'email' };
    await send(json({ errors: [{ message: 'No such port.', extensions }] }, { status: 400 }));
    await waitFor(() => expect(email()).toHaveAccessibleDescription('No such port.'));
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    await waitFor(() => expect(email()).toHaveFocus());
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });

  test('an answer that is no GraphQL is told by its status', async () => {
    await send(
      new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
    );
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/^GraphQL Error \(Code: 502\)$/));
  });

  test('a server out of reach is told in words of ours', async () => {
    await send(new TypeError('Failed to fetch'));
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent(
        'The server cannot be reached. Please check your connection and try again.',
      ),
    );
  });

  test("a failure without words is told by 'Something went wrong. Please try again.'", async () => {
    vi.spyOn(client, 'mutate').mockRejectedValue(new Error(''));
    await send();
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent(/^Something went wrong\. Please try again\.$/),
    );
  });
});

test('a form whose code a deploy has taken away is sent by the browser itself', async () => {
  vi.mocked(loadChunk).mockRejectedValue(new Error('Loading chunk newsletter-form failed'));
  vi.mocked(isServerReachable).mockResolvedValue(true);
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
  const { user } = showPage();
  await user.type(email(), 'jana@example.org{Enter}');
  await waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  vi.mocked(loadChunk).mockReset();
  vi.mocked(isServerReachable).mockReset();
});

test('a form that cannot come to life without a connection says so, and comes to life on the next try', async () => {
  vi.mocked(loadChunk).mockRejectedValue(new Error('Loading chunk newsletter-form failed'));
  vi.mocked(isServerReachable).mockResolvedValue(false);
  serveGraphQL(subscribed());
  const { user } = showPage();
  await user.type(email(), 'jana@example.org{Enter}');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The server cannot be reached.'));
  expect(email()).toHaveValue('jana@example.org');
  vi.mocked(loadChunk).mockReset();
  await user.click(submit());
  await screen.findByRole('heading', { name: 'Welcome Aboard!' });
});

describe('what is counted', () => {
  test('a subscription that was taken, with the user type and the landing page, and never the email', async () => {
    serveGraphQL(subscribed());
    const { user } = showPage({
      history: ['/newsletter?source=landing-companies'],
    });
    await user.type(email(), 'jana@example.org{Enter}');
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    await user.click(screen.getByRole('link', { name: 'Back to Home' }));
    expect(trackedEvents()).toEqual([
      ['button_click', { button: 'join_the_community', location: 'newsletter' }],
      ['newsletter_signup', { user_type: 'company', signup_source: 'landing-companies' }],
      ['button_click', { button: 'back_to_home', location: 'newsletter' }],
    ]);
    expect(JSON.stringify(trackedEvents())).not.toContain('jana');
  });

  test('a subscription without a landing page, without one', async () => {
    serveGraphQL(subscribed());
    const { user } = showPage();
    await user.type(email(), 'jana@example.org{Enter}');
    await screen.findByRole('heading', { name: 'Welcome Aboard!' });
    expect(trackedEvents().at(-1)).toEqual(['newsletter_signup', { user_type: 'sailor' }]);
  });

  test('no subscription that was refused', async () => {
    serveGraphQL(refused('The port is closed.'));
    const { user } = showPage();
    await user.type(email(), 'jana@example.org{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement());
    expect(trackedEvents().map(([name]) => name)).toEqual(['button_click']);
  });

  test('the Back button', async () => {
    const { user } = showPage();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(trackedEvents()).toEqual([['button_click', { button: 'back', location: 'newsletter' }]]);
  });
});
