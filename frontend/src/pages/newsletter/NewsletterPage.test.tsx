import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { IntlProvider } from 'react-intl';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { client } from '../../api/client';
import { trackedEvents } from '../../test/analytics';
import { Text } from '../../i18n/Text';
import { catalogues } from '../../test/catalogues';
import { type Answer, json, later, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import NewsletterPage from './NewsletterPage';
import routeTable from '../../../routes.json';

const UNREACHABLE = 'We can’t reach the server. Please check your connection and try again.';
const EMAIL = 'jana@example.org';

// Only the clock is stopped, so that a form can be old enough to be sent without waiting.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('./subscribe');
});

const subscribed = () => json({ data: { subscribeNewsletter: { success: true, message: 'Subscribed' } } });
const refused = (message: string) => json({ data: { subscribeNewsletter: { success: false, message } } });

function showPage(options?: Parameters<typeof renderInSite>[1], page = <NewsletterPage />) {
  const view = renderInSite(page, options);
  vi.advanceTimersByTime(4000);
  return view;
}

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const honeypot = () => document.getElementsByName('berth')[0] as HTMLInputElement;
const submit = () => screen.getByRole('button', { name: 'Join the Community' });
const welcome = () => screen.findByRole('heading', { name: 'Welcome Aboard!' });

async function showAndSend(...answers: Answer[]) {
  const calls = serveGraphQL(...answers);
  const view = showPage();
  await view.user.type(email(), `${EMAIL}{Enter}`);
  return { ...view, calls };
}

function removeChunk({ isServerReachable }: { isServerReachable: boolean }) {
  vi.doMock('./subscribe', () => {
    throw new Error('Loading chunk newsletter-subscribe failed');
  });
  vi.stubGlobal('fetch', () =>
    isServerReachable ? Promise.resolve(new Response('ok')) : Promise.reject(new TypeError('Offline')),
  );
}

describe('the fields', () => {
  const [sailors, companies] = routeTable.routes.find(({ page }) => page === 'newsletter')?.sources ?? [];

  test.each([
    ['', 'Sailor', ''],
    [`?source=${sailors}`, 'Sailor', 'landing-sailors'],
    [`?lang=cs&source=${companies}`, 'Company', 'landing-companies'],
    ['?source=elsewhere', 'Sailor', ''],
    ['?source=Landing-Companies', 'Sailor', ''],
  ])('the query %j preselects %s and sends the source %j', (query, choice, source) => {
    showPage({ history: [`/newsletter${query}`] });
    const choices = within(screen.getByRole('group', { name: 'I am a' }));
    expect(choices.getAllByRole('radio')).toHaveLength(2);
    expect(choices.getByRole('radio', { name: choice })).toBeChecked();
    expect(new FormData(email().form ?? undefined).getAll('source')).toEqual([source]);
  });

  test('can be posted by the browser, in the language of the page', () => {
    showPage({ language: 'cs' });
    const { form } = screen.getByLabelText<HTMLInputElement>('E-mail');
    expect(form).toHaveAttribute('method', 'post');
    expect(form).toHaveAttribute('action', '/newsletter/subscribe/?lang=cs');
    expect([...new FormData(form ?? undefined).keys()]).toEqual(['userType', 'email', 'berth', 'source']);
    expect(screen.getByRole('button', { name: 'Přidat se ke komunitě' })).toBeEnabled();
  });

  test('the honeypot is hidden from people', async () => {
    const { user } = showPage();
    expect(honeypot().closest('[aria-hidden=true]')).toHaveTextContent('Leave this field empty');
    email().focus();
    await user.tab();
    expect(screen.getByRole('link', { name: 'terms of use' })).toHaveFocus();
  });
});

test('the Back button returns to the previous page and is tracked', async () => {
  const { user, path } = showPage({ history: ['/landing-sailors', '/newsletter'] });
  await user.click(screen.getByRole('button', { name: 'Back' }));
  expect(path()).toBe('/landing-sailors');
  expect(trackedEvents()).toEqual([['button_click', { button: 'back', location: 'newsletter' }]]);
});

describe('an invalid email', () => {
  test.each([
    [' ', 'Email is required'],
    ['nonsense', 'Please enter a valid email address'],
    ['jana@example', 'Please enter a valid email address'],
    ['jana novakova@example.org', 'Please enter a valid email address'],
    ['jana@plavba@example.org', 'Please enter a valid email address'],
    ['@example.org', 'Please enter a valid email address'],
    ['jana@example.', 'Please enter a valid email address'],
    [`${'a'.repeat(243)}@example.org`, 'Email must be at most 254 characters'],
  ])('%j is refused and announced under its field, which gets the focus', async (typed, message) => {
    const calls = serveGraphQL();
    const { user } = showPage();
    const region = email().form?.querySelector('[aria-live="polite"]');
    expect(region).toBeEmptyDOMElement();
    await user.click(email());
    await user.paste(typed);
    await user.click(submit());
    expect(email()).toHaveFocus();
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    expect(email()).toHaveAccessibleDescription(message);
    expect(region).toHaveTextContent(message);
    expect(submit()).not.toHaveAttribute('aria-disabled');
    expect(calls).toEqual([]);
  });

  test('shows no error before the first submit', async () => {
    const { user } = showPage();
    await user.type(email(), 'nonsense');
    await user.tab();
    expect(email()).not.toHaveAttribute('aria-invalid');
  });

  test('loses its error as soon as it is corrected', async () => {
    const { user } = showPage();
    await user.type(email(), 'jana{Enter}');
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    await user.type(email(), '@example.org');
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(email()).toHaveAccessibleDescription('');
  });

  test('does not take the focus from another field that is changed', async () => {
    const { user } = showPage();
    await user.click(submit());
    await user.click(screen.getByRole('radio', { name: 'Company' }));
    expect(screen.getByRole('radio', { name: 'Company' })).toHaveFocus();
    expect(email()).toHaveAccessibleDescription('Email is required');
  });
});

test.each([
  EMAIL,
  'jana+plavba@mail.example.co.uk',
  'jana@ostrov-hvězd.example',
  `${'a'.repeat(242)}@example.org`,
])('the email %j is accepted', async (address) => {
  const calls = serveGraphQL(subscribed());
  const { user } = showPage();
  await user.click(email());
  await user.paste(address);
  await user.keyboard('{Enter}');
  await welcome();
  expect(calls[0]?.variables).toMatchObject({ input: { email: address } });
});

describe('an error follows the language of the page', () => {
  function BilingualPage() {
    const [language, setLanguage] = useState<'en' | 'cs'>('en');
    return (
      <IntlProvider locale={language} messages={catalogues[language]} textComponent={Text}>
        <button onClick={() => setLanguage('cs')}>Czech</button>
        <NewsletterPage />
      </IntlProvider>
    );
  }

  test('of a field', async () => {
    const { user } = showPage({}, <BilingualPage />);
    await user.click(submit());
    expect(email()).toHaveAccessibleDescription('Email is required');
    await user.click(screen.getByRole('button', { name: 'Czech' }));
    expect(screen.getByLabelText('E-mail')).toHaveAccessibleDescription('E-mail je povinný');
  });

  test.each<[Answer, string, string]>([
    [refused(''), 'Failed to subscribe', 'Přihlášení k odběru se nezdařilo'],
    [
      new TypeError('Failed to fetch'),
      UNREACHABLE,
      'Server není dostupný. Zkontrolujte prosím připojení a zkuste to znovu.',
    ],
    [refused('The port is closed.'), 'The port is closed.', 'The port is closed.'],
  ])('of an answer (%#)', async (answer, english, czech) => {
    serveGraphQL(answer);
    const { user } = showPage({}, <BilingualPage />);
    await user.type(email(), `${EMAIL}{Enter}`);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(english));
    await user.click(screen.getByRole('button', { name: 'Czech' }));
    expect(screen.getByRole('alert')).toHaveTextContent(czech);
  });
});

describe('a submission', () => {
  test('sends the trimmed email, user type, source, honeypot and fill time, and is tracked without the email', async () => {
    const calls = serveGraphQL(subscribed());
    const { user } = showPage({ history: ['/newsletter?source=landing-companies'] });
    await user.click(email());
    // A no-break space, as word processors leave it; the browser itself strips plain ones.
    await user.paste(`\u00a0${EMAIL}\u00a0`);
    await user.click(submit());
    await welcome();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ operationName: 'SubscribeNewsletter' });
    expect(calls[0]?.variables).toEqual({
      input: {
        userType: 'company',
        email: EMAIL,
        website: '',
        source: 'landing-companies',
        fillTime: 4000,
      },
    });
    expect(trackedEvents()).toEqual([
      ['button_click', { button: 'join_the_community', location: 'newsletter' }],
      ['newsletter_signup', { user_type: 'company', signup_source: 'landing-companies' }],
    ]);
    expect(JSON.stringify(trackedEvents())).not.toContain('jana');
  });

  test('without a landing page has no source', async () => {
    const { calls } = await showAndSend(subscribed());
    await welcome();
    expect(calls[0]?.variables).toMatchObject({ input: { userType: 'sailor', source: null } });
    expect(trackedEvents().at(-1)).toEqual(['newsletter_signup', { user_type: 'sailor' }]);
  });

  test('sends what a bot wrote into the honeypot', async () => {
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    await user.type(honeypot(), 'https://spam.example');
    await user.type(email(), `${EMAIL}{Enter}`);
    await welcome();
    expect(calls[0]?.variables).toMatchObject({ input: { website: 'https://spam.example' } });
  });

  test('is sent once, and keeps the focus on the pending button, however often it is submitted', async () => {
    const { answer, send } = later();
    const calls = serveGraphQL(answer);
    const { user } = showPage();
    await user.type(email(), EMAIL);
    await user.dblClick(submit());
    const button = await screen.findByRole('button', { name: 'Joining...' });
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.keyboard('{Enter}');
    act(() => email().form?.requestSubmit());
    send(subscribed());
    await welcome();
    expect(calls).toHaveLength(1);
  });

  test('survives a failure and can be sent again', async () => {
    const calls = serveGraphQL(new TypeError('Failed to fetch'), subscribed());
    const { user } = showPage();
    await user.click(screen.getByRole('radio', { name: 'Company' }));
    expect(trackedEvents()).toEqual([
      ['user_type_selection', { user_type: 'company', location: 'newsletter' }],
    ]);
    await user.type(email(), `${EMAIL}{Enter}`);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(UNREACHABLE));
    expect(email()).toHaveValue(EMAIL);
    expect(screen.getByRole('radio', { name: 'Company' })).toBeChecked();
    await user.click(submit());
    await welcome();
    expect(calls[1]?.variables).toEqual(calls[0]?.variables);
  });

  test('is posted by the browser when a deploy has removed its code', async () => {
    removeChunk({ isServerReachable: true });
    const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
    const { user } = showPage();
    await user.type(email(), `${EMAIL}{Enter}`);
    await waitFor(() => expect(post).toHaveBeenCalledOnce());
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });

  test('says that the server is unreachable when its code cannot be loaded, and works on the next try', async () => {
    removeChunk({ isServerReachable: false });
    const { user } = showPage();
    await user.type(email(), `${EMAIL}{Enter}`);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(UNREACHABLE));
    expect(email()).toHaveValue(EMAIL);
    vi.doUnmock('./subscribe');
    serveGraphQL(subscribed());
    await user.click(submit());
    await welcome();
  });
});

describe('an answer', () => {
  test('of success replaces the form with an announced confirmation and a way home', async () => {
    const { user, path } = await showAndSend(subscribed());
    expect(await welcome()).toHaveFocus();
    const main = within(screen.getByRole('main'));
    expect(main.getAllByText('Subscription Confirmed!')[0]).toBeVisible();
    expect(screen.getByRole('status')).toHaveTextContent(
      'Subscription Confirmed! Check your email for a welcome message. One click in it completes your subscription.',
    );
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back to Home' }));
    expect(path()).toBe('/');
    expect(trackedEvents().at(-1)).toEqual([
      'button_click',
      { button: 'back_to_home', location: 'newsletter' },
    ]);
  });

  test.each<[string, Answer, RegExp]>([
    ['without success shows the returned message', refused('The port is closed.'), /^The port is closed\.$/],
    [
      'with errors and status 200 shows the first message',
      json({ data: null, errors: [{ message: 'First.' }, { message: 'Second.' }] }),
      /^First\.$/,
    ],
    [
      'with status 503, as plain JSON, shows the first message',
      json({ errors: [{ message: 'First.' }] }, { status: 503, type: 'application/json' }),
      /^First\.$/,
    ],
    [
      'that is no GraphQL shows its status',
      new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
      /^GraphQL Error \(Code: 502\)$/,
    ],
  ])('%s', async (_, answer, message) => {
    await showAndSend(answer);
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(message));
    expect(email()).not.toHaveAttribute('aria-invalid');
    expect(trackedEvents().map(([name]) => name)).not.toContain('newsletter_signup');
  });

  test('with an error of the email shows it under the field', async () => {
    const extensions = { code: 'BAD_USER_INPUT', field: 'email' };
    await showAndSend(json({ errors: [{ message: 'No such port.', extensions }] }, { status: 400 }));
    await waitFor(() => expect(email()).toHaveAccessibleDescription('No such port.'));
    expect(email()).toHaveAttribute('aria-invalid', 'true');
    expect(email()).toHaveFocus();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });

  test('that throws without a message shows the fallback', async () => {
    vi.spyOn(client, 'mutate').mockRejectedValue(new Error(''));
    await showAndSend();
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent(/^Something went wrong\. Please try again\.$/),
    );
  });
});
