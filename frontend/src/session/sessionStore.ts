import type {
  ChangePasswordInput,
  DeleteAccountInput,
  SignInInput,
  SignInMutation,
  SignUpInput,
  UpdateProfileInput,
} from '../lib/api/generated';
import { lazyModule } from '../lib/lazy';
import type { Member } from './member';
import type * as SessionApi from './sessionApi';
import { createTokenStorage, markDocument } from './token';

/** A store for `useSyncExternalStore` that holds the session. */
export type SessionSource = ReturnType<typeof createSessionStore>;

/**
 * The session of the page, as components see it (spec section 4), with the calls that change it. Each promise rejects with the
 * error of its request.
 */
export type Session = ReturnType<SessionSource['getSnapshot']>;

interface SessionState {
  token: string | null;
  member: Member | null;
  /** When `member` was fetched, in milliseconds; 0 when signing in has returned only a part of it. */
  fetchedAt: number;
  /** Whether the last fetch of the member failed although the token was not rejected. */
  hasFailed: boolean;
  signedOutByUser: boolean;
}

const SIGNED_OUT: SessionState = {
  token: null,
  member: null,
  fetchedAt: 0,
  hasFailed: false,
  signedOutByUser: false,
};

/**
 * Create the session of this browser tab (spec section 4).
 *
 * Part of the first load; sessionApi.ts, with Apollo, is loaded by `preload` or the first call to the server.
 */
export function createSessionStore() {
  const storage = createTokenStorage();
  const listeners = new Set<() => void>();
  /** The fetches of the member under way, by token. */
  const fetches = new Map<string, Promise<void>>();
  const { preload } = lazyModule(async () => {
    const api = await import(/* webpackChunkName: "session" */ './sessionApi');
    api.setAuthTokenSource({ getToken: () => state.token, onRejected: rejectToken });
    return api;
  });
  const loadApi = () => preload('required');
  let state: SessionState = { ...SIGNED_OUT, token: storage.read() };

  const actions = {
    /** Load the code of the calls ahead of the first one, which tries again after a failure. */
    preload: () => void preload('optional').catch(() => undefined),
    signIn: async (input: SignInInput) => startSession(await (await loadApi()).signIn(input)),
    signUp: async (input: SignUpInput) => startSession(await (await loadApi()).signUp(input)),
    /** Revoke the token, then clear the session; when it rejects, the member stays signed in. */
    signOut: () => revokeAndEnd((api, token) => api.logout(token), true),
    signOutEverywhere: () => revokeAndEnd((api) => api.signOutEverywhere()),
    deleteAccount: (input: DeleteAccountInput) => revokeAndEnd((api) => api.deleteAccount(input)),
    refresh,

    updateProfile: async (input: UpdateProfileInput) => {
      const { token } = state;
      const profile = await (await loadApi()).updateProfile(input);
      const { member } = state;
      // Two answers may arrive in the reverse order.
      const isObsolete = member && Date.parse(profile.updatedAt) < Date.parse(member.updatedAt);
      if (member && !isObsolete && state.token === token) update({ member: { ...member, ...profile } });
    },

    /** Send the verification mail again; resolves to false when the email is already verified. */
    resendVerification: async () => {
      const isSent = await (await loadApi()).resendVerification();
      // The email was verified elsewhere, so the cached user is out of date.
      if (!isSent) void refresh();
      return isSent;
    },

    /** Change the password. All other sessions end; this one goes on with a new token. */
    changePassword: async (input: ChangePasswordInput) => {
      const { token: previous } = state;
      const token = await (await loadApi()).changePassword(input);
      // Another tab may have signed in somebody else meanwhile.
      if (state.token === previous) update({ token });
    },
  };

  const serverSnapshot = toSnapshot(SIGNED_OUT);
  const loadingSnapshot: typeof serverSnapshot = { ...serverSnapshot, status: 'loading' };
  let snapshot = toSnapshot(state);

  function toSnapshot({ token, member, hasFailed, signedOutByUser }: SessionState) {
    // `loading`: a token without its user yet. `unreachable`: the user could not be fetched; the token is kept.
    const status = !token ? 'signed-out' : member ? 'signed-in' : hasFailed ? 'unreachable' : 'loading';
    return { ...actions, user: member, isAuthenticated: status === 'signed-in', status, signedOutByUser };
  }

  function update(changes: Partial<SessionState>): void {
    const { token } = state;
    state = { ...state, ...changes };
    if (state.token !== token) {
      storage.write(state.token);
      markDocument(state.token);
    }
    snapshot = toSnapshot(state);
    for (const listener of listeners) listener();
  }

  /** Replace the session. */
  function reset(changes: Partial<SessionState>): void {
    update({ ...SIGNED_OUT, ...changes });
  }

  /** Start the session of a member who has just signed in. */
  async function startSession({ token, user }: SignInMutation['signIn']): Promise<void> {
    const { token: previous } = state;
    reset({ token, member: { updatedAt: '', ...user } });
    if (!previous || previous === token) return;
    const api = await loadApi();
    void api.logout(previous).catch(() => undefined);
  }

  /** End the session of a token; another tab may already have stored the token of a newer one. */
  function endSession(token: string, changes: Partial<SessionState> = {}): void {
    const stored = storage.read();
    if (!stored || stored === token) {
      reset(changes);
    } else {
      reset({ token: stored });
      void refresh();
    }
  }

  function rejectToken(token: string): void {
    if (token !== state.token) return;
    // oxlint-disable-next-line no-console -- spec section 8
    console.warn('The server rejected the token: signed out.');
    endSession(token);
  }

  /**
   * Send a request that revokes the token, then end the session.
   *
   * @param isRejectionSuccess whether a token that the server rejects counts as revoked; it is cleared by then
   */
  async function revokeAndEnd(
    request: (api: typeof SessionApi, token: string) => Promise<unknown>,
    isRejectionSuccess = false,
  ): Promise<void> {
    const { token } = state;
    if (!token) return;
    try {
      await request(await loadApi(), token);
    } catch (error) {
      if (!isRejectionSuccess || state.token === token) throw error;
    }
    if (state.token === token || !state.token) endSession(token, { signedOutByUser: true });
  }

  async function fetchMember(): Promise<void> {
    if (state.hasFailed) update({ hasFailed: false });
    const before = state;
    try {
      const member = await (await loadApi()).fetchMember();
      // The answer is obsolete once the session has changed.
      if (state === before) update({ member, fetchedAt: Date.now() });
    } catch (error) {
      if (state !== before) return;
      // oxlint-disable-next-line no-console -- spec section 8
      console.warn('The current user could not be fetched.', error);
      update({ hasFailed: true });
    }
  }

  /** Fetch the user again, unless the last answer is younger than `maxAgeMs`. Never rejects: the status shows the result. */
  async function refresh(maxAgeMs = 0): Promise<void> {
    const { token, fetchedAt } = state;
    if (!token || Date.now() - fetchedAt < maxAgeMs) return undefined;
    let fetching = fetches.get(token);
    if (!fetching) {
      fetching = fetchMember().finally(() => fetches.delete(token));
      fetches.set(token, fetching);
    }
    return fetching;
  }

  /** Follow the stored token, and fetch the member when missing. */
  function synchronize(): void {
    const token = storage.read();
    if (token !== state.token) reset({ token });
    // After a failure a hidden tab waits until it is shown.
    if (!state.member && !(state.hasFailed && document.hidden)) void refresh();
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    /** Return the session of a prerendered page, which is always signed out. */
    getServerSnapshot: () => serverSnapshot,
    /** Return the session of a prerendered page for members, which is always loading. */
    getLoadingSnapshot: () => loadingSnapshot,
    /** Follow the server and other tabs; returns a function that stops. */
    start() {
      const controller = new AbortController();
      markDocument(state.token);
      // Another tab changed the token; the page left the back/forward cache; the network is back; the tab is shown.
      for (const event of ['storage', 'pageshow', 'online']) {
        window.addEventListener(event, synchronize, controller);
      }
      document.addEventListener('visibilitychange', synchronize, controller);
      synchronize();
      return () => controller.abort();
    },
  };
}
