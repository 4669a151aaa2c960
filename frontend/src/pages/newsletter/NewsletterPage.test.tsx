import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Legal } from '../../legal/Legal';
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

function showPage(
  options?: Parameters<typeof renderInSite>[1],
  page = (
    <main>
      <NewsletterPage />
    </main>
  ),
) {
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
  const failure = Object.assign(new Error('Gone'), { name: 'ChunkLoadError', request: '/subscribe.js' });
  vi.mocked(subscribe).mockRejectedValueOnce(failure);
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

  test('the honeypot is hidden from people', async () => {
    const { user } = showPage();
    expect(honeypot().closest('[aria-hidden=true]')).toHaveTextContent('Leave this field empty');
    email().focus();
    await user.tab();
    expect(screen.getByRole('link', { name: 'terms of use' })).toHaveFocus();
  });
});

describe('a link', () => {
  function showWithLinks(address: string) {
    return showPage(
      { history: [address] },
      <main>
        <NewsletterPage />
        <Link to="/newsletter">Newsletter</Link>
        <LegalLink document="terms">Terms</LegalLink>
      </main>,
    );
  }

  const follow = (name: string) => screen.getByRole('link', { name });

  test('to the page shows the form again after a subscription, with the focus on its heading', async () => {
    serveGraphQL(subscribed());
    const { user } = showWithLinks('/newsletter');
    await user.type(email(), `${EMAIL}{Enter}`);
    await welcome();
    await user.click(follow('Newsletter'));
    expect(email()).toHaveValue('');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Be among the first aboard');
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  test('to the page drops the choice of a landing page together with its source', async () => {
    const { user } = showWithLinks('/newsletter?source=landing-companies');
    await user.click(follow('Newsletter'));
    expect(screen.getByRole('radio', { name: 'Sailor' })).toBeChecked();
  });

  test('to a legal document keeps what is typed', async () => {
    const { user } = showWithLinks('/newsletter');
    const field = email();
    await user.type(field, EMAIL);
    await user.click(follow('Terms'));
    expect(email()).toBe(field);
    expect(field).toHaveValue(EMAIL);
  });

  test('to a legal document that was followed before hydration keeps what is typed', async () => {
    const { user } = showPage(
      { history: ['/newsletter#terms'] },
      <>
        <NewsletterPage />
        <Legal />
      </>,
    );
    const close = await screen.findByRole('button', { name: 'Close' });
    await user.type(email(), EMAIL);
    await user.click(close);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(email()).toHaveValue(EMAIL);
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
      ['newsletter_signup', { user_type: 'company', signup_source: 'landing-companies' }],
    ]);
    expect(JSON.stringify(trackedEvents())).not.toContain('jana');
  });

  test('without a landing page has no source', async () => {
    const { calls } = await showAndSend(subscribed());
    expect(await welcome()).toHaveFocus();
    expect(screen.getByRole('status')).toHaveTextContent(
      /^Subscription Confirmed!Check your email for a welcome message\./,
    );
    expect(screen.getByText(`We’re sending it to ${EMAIL}.`)).toBeVisible();
    expect(calls[0]?.variables).toMatchObject({ input: { userType: 'sailor', source: null } });
    expect(trackedEvents().at(-1)).toEqual(['newsletter_signup', { user_type: 'sailor' }]);
  });

  const invitation = '0123456789abcdef0123456789abcdef';

  test.each([
    [
      '/landing?utm_source=mast&utm_campaign=spring',
      'https://forum.example/',
      { utmSource: 'mast', utmCampaign: 'spring', referrer: 'forum.example' },
    ],
    [`/newsletter?invitation=${invitation}`, '', { invitation }],
  ])(
    'of who entered by %s says so, also in the form that the browser posts itself',
    async (path, referrer, sent) => {
      rememberAttribution(new URL(path, 'https://sailing.example') as unknown as Location, referrer);
      const calls = serveGraphQL(subscribed());
      const { user } = showPage();
      expect(Object.fromEntries(new FormData(email().form ?? undefined))).toMatchObject(sent);
      await user.type(honeypot(), 'https://spam.example'); // as a bot does
      await user.type(email(), `${EMAIL}{Enter}`);
      await welcome();
      expect(calls[0]?.variables).toMatchObject({ input: { ...sent, website: 'https://spam.example' } });
    },
  );

  test('is posted by the browser when a deploy has removed its code', async () => {
    removeChunk({ isServerReachable: true });
    const post = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue();
    const { user } = showPage();
    await user.type(email(), `${EMAIL}{Enter}`);
    await waitFor(() => expect(post).toHaveBeenCalledOnce());
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });
});

describe('an answer', () => {
  test.each<[string, Answer, RegExp]>([
    ['without success shows the returned message', refused('The port is closed.'), /^The port is closed\.$/],
    [
      'without a message shows our own',
      json({ data: { subscribeNewsletter: { success: false, message: '' } } }),
      /^Failed to subscribe$/,
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
});

describe('waitForFillTime', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));

  test('waits until a second has passed', async () => {
    const answered = vi.fn<(time: number) => void>();
    const shownAt = performance.now();
    vi.advanceTimersByTime(400);
    const time = waitForFillTime(shownAt).then(answered);
    await vi.advanceTimersByTimeAsync(599);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await time;
    expect(answered).toHaveBeenCalledExactlyOnceWith(1000);
  });

  test('caps the time of a page left open for a month at the largest GraphQL Int', async () => {
    const month = 31 * 24 * 60 * 60 * 1000;
    expect(await waitForFillTime(performance.now() - month)).toBe(2 ** 31 - 1);
  });
});
