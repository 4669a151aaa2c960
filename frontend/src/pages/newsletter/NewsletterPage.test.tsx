import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { LegalLink } from '../../legal/LegalLink';
import { trackedEvents } from '../../test/analytics';
import { type Answer, json, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { rememberAttribution } from '../../lib/attribution';
import { Link } from '../../ui/Link';
import NewsletterPage from './NewsletterPage';
import { subscribe, waitForFillTime } from './subscribe';
import routeTable from '../../../routes.json';

vi.mock('./subscribe', { spy: true });
const EMAIL = 'jana@example.org';

// Only the clock is stopped, so that a form can be old enough to be sent without waiting.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => {
  vi.useRealTimers();
  rememberAttribution(window.location, '');
});

const subscribed = () => json({ data: { subscribeNewsletter: { success: true, message: 'Subscribed' } } });
const refused = (message: string) => json({ data: { subscribeNewsletter: { success: false, message } } });

function showPage(options?: Parameters<typeof renderInSite>[1], beside?: ReactNode) {
  const view = renderInSite(
    <main>
      <NewsletterPage />
      {beside}
    </main>,
    options,
  );
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

const [sailors, companies] = routeTable.routes.find(({ page }) => page === 'newsletter')?.sources ?? [];

test.each([
  ['', 'Sailor', ''],
  [`?source=${sailors}`, 'Sailor', 'landing-sailors'],
  [`?lang=cs&source=${companies}`, 'Company', 'landing-companies'],
  ['?source=Landing-Companies', 'Sailor', ''],
])('the query %j preselects %s and sends the source %j', (query, choice, source) => {
  showPage({ history: [`/newsletter${query}`] });
  const choices = within(screen.getByRole('group', { name: 'I am a' }));
  expect(choices.getAllByRole('radio')).toHaveLength(2);
  expect(choices.getByRole('radio', { name: choice })).toBeChecked();
  expect(new FormData(email().form ?? undefined).getAll('source')).toEqual([source]);
});

test('the honeypot is hidden from people', async () => {
  const { user } = showPage();
  expect(honeypot().closest('[aria-hidden=true]')).toHaveTextContent('Leave this field empty');
  email().focus();
  await user.tab();
  expect(screen.getByRole('link', { name: 'terms of use' })).toHaveFocus();
});

const links = (
  <>
    <Link to="/newsletter">Newsletter</Link>
    <LegalLink document="terms">Terms</LegalLink>
  </>
);
const follow = (name: string) => screen.getByRole('link', { name });

test('a link to the page shows the form again after a subscription, with the focus on its heading', async () => {
  serveGraphQL(subscribed());
  const { user } = showPage({ history: ['/newsletter'] }, links);
  await user.type(email(), `${EMAIL}{Enter}`);
  await welcome();
  await user.click(follow('Newsletter'));
  expect(email()).toHaveValue('');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Be among the first aboard');
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('a link to the page drops the choice with its source; one to a legal document keeps what is typed', async () => {
  const { user } = showPage({ history: ['/newsletter?source=landing-companies'] }, links);
  await user.click(follow('Newsletter'));
  expect(screen.getByRole('radio', { name: 'Sailor' })).toBeChecked();
  const field = email();
  await user.type(field, EMAIL);
  await user.click(follow('Terms'));
  expect(email()).toBe(field);
  expect(field).toHaveValue(EMAIL);
});

test('a submission sends the email, user type, source, honeypot and fill time, and is tracked without the email', async () => {
  const calls = serveGraphQL(subscribed());
  const { user } = showPage({ history: ['/newsletter?source=landing-companies'] });
  await user.type(email(), EMAIL);
  await user.click(submit());
  expect(await welcome()).toHaveFocus();
  expect(screen.getByRole('status')).toHaveTextContent(/^Subscription Confirmed!Check your email/);
  expect(screen.getByText(`We’re sending it to ${EMAIL}.`)).toBeVisible();
  const input = {
    userType: 'company',
    email: EMAIL,
    website: '',
    source: 'landing-companies',
    fillTime: 4000,
  };
  expect(calls).toMatchObject([{ operationName: 'SubscribeNewsletter', variables: { input } }]);
  expect(trackedEvents()).toEqual([
    ['newsletter_signup', { user_type: 'company', signup_source: 'landing-companies' }],
  ]);
});

const invitation = '0123456789abcdef0123456789abcdef';
const forum = 'https://forum.example/';

test.each([
  ['/landing?utm_source=mast', forum, { utmSource: 'mast', referrer: 'forum.example' }],
  [`/newsletter?invitation=${invitation}`, '', { invitation }],
])(
  'a submission of who entered by %s says so, also in the form that the browser posts itself',
  async (...row) => {
    const [path, referrer, sent] = row;
    rememberAttribution(new URL(path, 'https://sailing.example') as unknown as Location, referrer);
    const calls = serveGraphQL(subscribed());
    const { user } = showPage();
    expect(Object.fromEntries(new FormData(email().form ?? undefined))).toMatchObject(sent);
    await user.type(honeypot(), 'https://spam.example'); // as a bot does
    await user.type(email(), `${EMAIL}{Enter}`);
    await welcome();
    const input = { ...sent, userType: 'sailor', source: null, website: 'https://spam.example' };
    expect(calls[0]?.variables).toMatchObject({ input });
    expect(trackedEvents().at(-1)).toEqual(['newsletter_signup', { user_type: 'sailor' }]);
  },
);

test('a submission is posted by the browser when a deploy has removed its code', async () => {
  vi.mocked(subscribe).mockRejectedValueOnce(new Error('Gone'));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('ok')));
  const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
  const { user } = showPage();
  await user.type(email(), `${EMAIL}{Enter}`);
  await waitFor(() => expect(post).toHaveBeenCalledOnce());
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test.each([
  ['The port is closed.', /^The port is closed\.$/],
  ['', /^Failed to subscribe$/],
])('an answer without success and with the message %j shows %s', async (message, text) => {
  await showAndSend(refused(message));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text));
  expect(email()).not.toHaveAttribute('aria-invalid');
  expect(trackedEvents().map(([name]) => name)).not.toContain('newsletter_signup');
});

test('an error of the email shows under the field', async () => {
  const extensions = { code: 'BAD_USER_INPUT', field: 'email' };
  await showAndSend(json({ errors: [{ message: 'No such port.', extensions }] }, { status: 400 }));
  await waitFor(() => expect(email()).toHaveAccessibleDescription('No such port.'));
  expect(email()).toHaveFocus();
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

describe('waitForFillTime', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));

  test('waits until a second has passed', async () => {
    const time = waitForFillTime(performance.now() - 400);
    await vi.advanceTimersByTimeAsync(599);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await time).toBe(1000);
  });

  test('caps the time of a page left open for a month at the largest GraphQL Int', async () => {
    const month = 31 * 24 * 60 * 60 * 1000;
    expect(await waitForFillTime(performance.now() - month)).toBe(2 ** 31 - 1);
  });
});
