import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Member } from '../../session/member';
import type { Session } from '../../session/sessionStore';
import { TOKEN_KEY } from '../../session/token';
import { LazyMemberControls } from '../../shell/Account';
import { watchButtons } from '../../test/analytics';
import { type Answer, json, later, serveGraphQL } from '../../test/graphql';
import { renderInSite } from '../../test/render';
import { ANNA, signedIn, signedOut } from '../../test/session';
import { focusHeading } from '../../lib/pageStart';
import ProfilePage, { LazyProfileForm } from './ProfilePage';

// AccountSection.test.tsx shows a pending change.
vi.mock('./account/accountApi', () => ({ useAccountQuery: () => ({}) }));

beforeAll(async () => {
  await Promise.all([
    LazyMemberControls.preload('required'),
    LazyProfileForm.preload('required'),
    LazyProfileForm.preload('required'),
    import('../../session/sessionApi'),
  ]);
});

afterEach(() => {
  vi.useRealTimers();
});

async function openForm(user: UserEvent) {
  await user.click(button('Edit Profile'));
  await screen.findByRole('button', { name: 'Save Changes' });
}

/** Show the page with a fixed session. */
function show(user: Partial<Member> = {}, language: 'en' | 'cs' = 'en') {
  return renderInSite(<ProfilePage />, {
    history: ['/profile'],
    session: signedIn({ user: { ...ANNA, ...user } }),
    language,
  });
}

/** The page with a button that leaves it and returns. */
function Visit() {
  const [isHere, setHere] = useState(true);
  return (
    <>
      {isHere && <ProfilePage />}
      <button onClick={() => setHere(!isHere)}>Elsewhere</button>
    </>
  );
}

/** Show the page with a real session; `user` is the answer to the `me` query. */
async function visit(user: Partial<Member>, ...answers: Answer[]) {
  localStorage.setItem(TOKEN_KEY, 'a token');
  const me = json({ data: { me: { ...ANNA, avatar: '', ...user } } });
  const calls = serveGraphQL(me, ...answers);
  const page = renderInSite(<Visit />, { history: ['/profile'] });
  await screen.findByRole('heading', { level: 1, name: 'Anna Nováková' });
  return { ...page, calls };
}

const refused = (message: string, extensions: object) => json({ errors: [{ message, extensions }] });

/** Return the value of a fact. */
function fact(name: string): HTMLElement {
  const term = screen.getAllByRole('term').find(({ textContent }) => textContent === name);
  const value = term?.parentElement?.querySelector('dd');
  if (!value) throw new Error(`There is no ${name}`);
  return value;
}

const facts = () => screen.getAllByRole('term').map(({ textContent }) => textContent);
const button = (name: string) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByRole('textbox', { name });

describe('without a profile', () => {
  const showWithout = (status: Session['status']) =>
    renderInSite(
      <main>
        <ProfilePage />
      </main>,
      { history: ['/profile'], session: signedOut({ status }) },
    );

  test('a status says that it is loading', () => {
    showWithout('loading');
    expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('Loading your profile...');
    expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });

  test('moves the focus to the name of the member when the profile has loaded', async () => {
    localStorage.setItem(TOKEN_KEY, 'a token');
    const { answer, send } = later();
    serveGraphQL(answer);
    renderInSite(<ProfilePage />, { history: ['/profile'] });
    focusHeading();
    send(json({ data: { me: { ...ANNA, avatar: '' } } }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Anna Nováková' })).toHaveFocus();
  });
});

describe('the read view', () => {
  test('fetches the member again unless fresh', () => {
    const refresh = vi.fn(() => Promise.resolve());
    renderInSite(<ProfilePage />, { history: ['/profile'], session: signedIn({ refresh }) });
    expect(refresh).toHaveBeenCalledWith(300_000);
  });

  test('shows every value that is set', () => {
    show({ nickname: 'Áňa', phone: '+420 777 123 456', nationality: 'Czech' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Anna Nováková$/);
    expect(screen.getByText('“Áňa”')).toBeVisible();
    expect(facts()).toEqual([
      'Email',
      'Email status',
      'Phone',
      'Nationality',
      'Member since',
      'Last updated',
    ]);
    expect(fact('Email')).toHaveTextContent(/^anna@example\.orgVerified$/);
    expect(fact('Phone')).toHaveTextContent(/^\+420 777 123 456$/);
    expect(fact('Nationality')).toHaveTextContent(/^Czech$/);
  });

  test('omits a nickname, phone and nationality that are not set', () => {
    show();
    expect(facts()).toEqual(['Email', 'Email status', 'Member since', 'Last updated']);
    expect(screen.queryByText('“”')).not.toBeInTheDocument();
    expect(screen.getByText(/nickname under Edit Profile\.$/)).toBeVisible();
  });

  test.each([
    ['en', '2025-03-01T09:30:00+00:00', 'March 1, 2025'],
    ['cs', '2025-03-01T09:30:00+00:00', '1. března 2025'],
    ['en', '', 'Not available'],
    ['cs', '', 'Neuvedeno'],
    ['en', 'yesterday', 'Date unavailable'],
    ['cs', 'yesterday', 'Datum není k dispozici'],
  ] as const)('writes dates in the long format of the language (%s, %j)', (language, date, words) => {
    show({ createdAt: date, updatedAt: date }, language);
    expect(fact(language === 'en' ? 'Member since' : 'Členem od')).toHaveTextContent(words);
    expect(fact(language === 'en' ? 'Last updated' : 'Naposledy změněno')).toHaveTextContent(words);
  });

  test('a verified email has no Resend button', () => {
    show();
    expect(fact('Email status')).toHaveTextContent(/^Your email is verified\.$/);
    expect(screen.queryByRole('button', { name: 'Resend Verification' })).not.toBeInTheDocument();
  });

  test('names an address that a server refuses, and leads to changing it', () => {
    show({ isEmailUndeliverable: true });
    expect(screen.getByText(/the server of anna@example\.org refuses the address/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Change email' })).toHaveAttribute('href', '#setting-email');
  });

  test("an unverified email shows the badge Unverified and a 'Resend Verification' button", () => {
    show({ isEmailVerified: false });
    expect(fact('Email')).toHaveTextContent(/Unverified$/);
    expect(fact('Email status')).toHaveTextContent(/^Not verified yet\./);
    expect(fact('Email status')).toHaveTextContent('Accounts not verified within 14 days are deleted');
    expect(button('Resend Verification')).toBeVisible();
  });
});

describe('Resend Verification', () => {
  const ask = async (...answers: Answer[]) => {
    const page = await visit({ isEmailVerified: false }, ...answers);
    await page.user.click(button('Resend Verification'));
    return page;
  };
  const said = () => within(fact('Email status')).getByRole('status');
  const alert = () => within(fact('Email status')).getByRole('alert');

  test('sends the mail again and confirms it', async () => {
    const { calls } = await ask(json({ data: { resendVerification: true } }));
    await waitFor(() =>
      expect(said()).toHaveTextContent(
        'A new email is on its way to anna@example.org. Please open the link in it.',
      ),
    );
    expect(calls.map(({ operationName }) => operationName)).toEqual(['me', 'resendVerification']);
    expect(button('Resend Verification')).toHaveFocus();
  });

  test.each([
    ['RATE_LIMITED', /^The last email went out less than three minutes ago\./, /^$/],
    ['MAIL_LIMIT_REACHED', /^$/, /^Several emails have gone out\.$/],
  ])('says that %s is the reason', async (code, status, error) => {
    await ask(refused('Several emails have gone out.', { code, retryAfter: 120 }));
    await waitFor(() => expect(said().textContent + alert().textContent).not.toBe(''));
    expect(said().textContent).toMatch(status);
    expect(alert().textContent).toMatch(error);
  });

  test('shows why it failed and can be tried again', async () => {
    const { answer, send } = later();
    const { user } = await ask(
      refused('The service is briefly unavailable.', { code: 'UNAVAILABLE' }),
      answer,
    );
    await waitFor(() => expect(alert()).toHaveTextContent('The service is briefly unavailable.'));
    await user.click(button('Resend Verification'));
    expect(alert()).toBeEmptyDOMElement();
    send(json({ data: { resendVerification: true } }));
    await waitFor(() => expect(said()).toHaveTextContent(/^A new email is on its way/));
  });

  test('updates the badge of an email that was verified meanwhile', async () => {
    await ask(
      json({ data: { resendVerification: false } }),
      json({ data: { me: { ...ANNA, avatar: '', isEmailVerified: true } } }),
    );
    await waitFor(() => expect(fact('Email')).toHaveTextContent(/Verified$/));
    expect(said()).toHaveTextContent('Your email is already verified.');
    expect(said()).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Resend Verification' })).not.toBeInTheDocument();
  });

  test('sends one mail on a double click', async () => {
    const { answer, send } = later();
    const { user, calls } = await visit({ isEmailVerified: false }, answer);
    await user.dblClick(button('Resend Verification'));
    expect(button('Sending...')).toHaveAttribute('aria-disabled', 'true');
    send(json({ data: { resendVerification: true } }));
    await waitFor(() => expect(said()).not.toBeEmptyDOMElement());
    expect(calls).toHaveLength(2);
  });
});

describe('the edit form', () => {
  const set = { nickname: 'Áňa', phone: '+420 777 123 456', nationality: 'Czech' };
  const updated = (user: Partial<Member>) => json({ data: { updateProfile: { ...ANNA, ...user } } });

  async function edit(user: Partial<Member>, ...answers: Answer[]) {
    const page = await visit(user, ...answers);
    await openForm(page.user);
    return page;
  }

  /** Replace the value of a field at once, which is faster than by keys. */
  async function type(user: UserEvent, name: string, text: string) {
    await user.clear(field(name));
    if (text) await user.paste(text);
  }

  test('is prefilled and takes the focus', async () => {
    await edit(set);
    expect(field('First name')).toHaveFocus();
    expect(screen.getAllByRole('textbox').map((input) => (input as HTMLInputElement).value)).toEqual([
      'Anna',
      'Nováková',
      'Áňa',
      'Czech',
      '+420 777 123 456',
    ]);
  });

  test('Cancel discards the changes and returns the focus', async () => {
    const { user, calls } = await edit(set);
    await type(user, 'First name', 'Eva');
    await user.click(button('Cancel'));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Anna Nováková');
    expect(button('Edit Profile')).toHaveFocus();
    await openForm(user);
    expect(field('First name')).toHaveValue('Anna');
    expect(calls).toHaveLength(1);
  });

  test('shows every error at once and focuses the first', async () => {
    const { user, calls } = await edit({});
    await type(user, 'First name', 'A');
    await type(user, 'Last name', '');
    await type(user, 'Phone (optional)', '1'.repeat(33));
    await user.click(button('Save Changes'));
    await waitFor(() => expect(field('First name')).toHaveFocus());
    expect(field('First name')).toHaveAccessibleDescription('First name must be at least 2 characters');
    expect(field('Last name')).toHaveAccessibleDescription('Last name is required');
    expect(field('Phone (optional)')).toHaveAccessibleDescription(/Please use at most 32 characters/);
    expect(calls).toHaveLength(1);
  });

  test('sends the trimmed values that are not blank', async () => {
    const { user, calls } = await edit(set, updated(set));
    await type(user, 'First name', ' Eva ');
    await type(user, 'Nickname (optional)', '   ');
    await type(user, 'Nationality (optional)', '');
    await user.click(button('Save Changes'));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toMatchObject({ operationName: 'updateProfile' });
    expect(calls[1]?.variables).toEqual({
      input: { firstName: 'Eva', lastName: 'Nováková', phone: '+420 777 123 456' },
    });
  });

  test('Remove clears a stored value for good', async () => {
    const { user, calls } = await edit(set, updated({ ...set, nickname: '' }));
    await user.click(button('Remove: Nickname'));
    expect(field('Nickname (optional)')).toHaveValue('');
    expect(field('Nickname (optional)')).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Remove: Nickname' })).not.toBeInTheDocument();
    await user.click(button('Remove: Nationality'));
    await user.paste('Slovak');
    await user.click(button('Save Changes'));
    await screen.findByText('Profile updated successfully!');
    expect(calls[1]?.variables).toEqual({
      input: {
        firstName: 'Anna',
        lastName: 'Nováková',
        nickname: '',
        nationality: 'Slovak',
        phone: set.phone,
      },
    });
  });

  test('a field without a stored value has nothing to remove', async () => {
    const { user } = await edit({});
    await type(user, 'Nickname (optional)', 'Áňa');
    expect(screen.queryByRole('button', { name: /^Remove/ })).not.toBeInTheDocument();
  });

  test('the confirmation disappears after 3 seconds', async () => {
    show();
    vi.useFakeTimers();
    fireEvent.click(button('Edit Profile'));
    await act(() => vi.advanceTimersByTimeAsync(0));
    fireEvent.click(button('Save Changes'));
    await act(() => vi.advanceTimersByTimeAsync(0));
    const region = screen.getByText('Profile updated successfully!').parentElement;
    await act(() => vi.advanceTimersByTimeAsync(2999));
    expect(region).toHaveTextContent('Profile updated successfully!');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(region).toBeEmptyDOMElement();
  });

  describe('while saving', () => {
    async function save(...answers: Answer[]) {
      const { answer, send } = later();
      const page = await edit({}, answer, ...answers);
      await type(page.user, 'First name', 'Eva');
      await page.user.click(button('Save Changes'));
      await screen.findByRole('button', { name: 'Saving Changes...' });
      return { ...page, send };
    }

    test('Cancel is disabled and the fields are read-only, until the server refuses', async () => {
      const { user, send } = await save(updated({ firstName: 'Eva' }));
      expect(button('Cancel')).toHaveAttribute('aria-disabled', 'true');
      await user.click(button('Cancel'));
      await user.type(field('Phone (optional)'), '1');
      expect(button('Saving Changes...')).toBeVisible();
      expect(field('First name')).toHaveValue('Eva');
      expect(field('Phone (optional)')).toHaveValue('');
      send(refused('No such name.', { code: 'BAD_USER_INPUT', field: 'firstName' }));
      await waitFor(() => expect(field('First name')).toHaveFocus());
      expect(button('Cancel')).not.toHaveAttribute('aria-disabled');
      await type(user, 'Phone (optional)', '+420 777 123 456');
      expect(field('Phone (optional)')).toHaveValue('+420 777 123 456');
      await user.click(button('Save Changes'));
      await screen.findByText('Profile updated successfully!');
      expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Eva Nováková');
    });

    test('a member can leave, return and save another change', async () => {
      const phone = '+420 777 123 456';
      const { user, send, calls } = await save(updated({ firstName: 'Eva', phone }));
      await user.click(button('Elsewhere'));
      await user.click(button('Elsewhere'));
      await openForm(user);
      await type(user, 'Phone (optional)', phone);
      await user.click(button('Save Changes'));
      await screen.findByText('Profile updated successfully!');
      expect(fact('Phone')).toHaveTextContent(phone);
      expect(calls.slice(1).map(({ variables }) => variables)).toMatchObject([
        { input: { firstName: 'Eva' } },
        { input: { phone } },
      ]);
      // The answer to the first save arrives after its form has gone.
      await openForm(user);
      await type(user, 'Nickname (optional)', 'Evča');
      send(updated({ firstName: 'Eva' }));
      await act(() => Promise.resolve());
      expect(field('Nickname (optional)')).toHaveValue('Evča');
    });
  });
});

test('the buttons are tracked without personal data', async () => {
  const pressed = watchButtons();
  const { user } = show({ isEmailVerified: false });
  await user.click(button('Resend Verification'));
  await openForm(user);
  await user.click(button('Cancel'));
  await openForm(user);
  await user.click(button('Save Changes'));
  await screen.findByText('Profile updated successfully!');
  expect(pressed).toEqual(['resend_verification', 'edit_profile', 'cancel', 'edit_profile', 'save_changes']);
});
