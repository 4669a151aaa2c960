import type {
  ChangePasswordInput,
  DeleteAccountInput,
  SignInInput,
  SignInMutation,
  SignUpInput,
  UpdateProfileInput,
} from '../api/generated';
import { loadChunk } from '../chunks/loadChunk';
import type { Member } from './member';
import type * as SessionApi from './sessionApi';
import { markDocument, TokenStorage } from './TokenStorage';

/** The calls that change the session. Each promise rejects with the error of its request. */
export interface SessionActions {
  /** Load the code of the calls ahead of the first one, which tries again after a failure. */
  preload: () => void;
  /** Sign in, store the token and cache the user. */
  signIn: (input: SignInInput) => Promise<void>;
  /** Create an account, store the token and cache the user. */
  signUp: (input: SignUpInput) => Promise<void>;
  /** Revoke the token, then clear the session; when it rejects, the member stays signed in. */
  signOut: () => Promise<void>;
  /**
   * Fetch the user again, unless the last answer is younger than `maxAgeMs`.
   *
   * Never rejects: the status shows the result.
   */
  refresh: (maxAgeMs?: number) => Promise<void>;
  /** Save the profile and update the cached user. */
  updateProfile: (input: UpdateProfileInput) => Promise<void>;
  /** Send the verification mail again; resolves to false when the email is already verified. */
  resendVerification: () => Promise<boolean>;
  /** Change the password. All other sessions end; this one goes on with a new token. */
  changePassword: (input: ChangePasswordInput) => Promise<void>;
  /** End all sessions of the member, this one too. */
  signOutEverywhere: () => Promise<void>;
  /** Delete the account, and with it the session. */
  deleteAccount: (input: DeleteAccountInput) => Promise<void>;
}

/** The session of the page, as components see it (spec section 4). */
export interface Session extends SessionActions {
  user: Member | null;
  /** Whether there are both a user and a token. */
  isAuthenticated: boolean;
  /** `loading`: a token without its user yet. `unreachable`: the user could not be fetched; the token is kept. */
  status: 'signed-out' | 'loading' | 'unreachable' | 'signed-in';
  /** Whether the session ended because the user signed out on this page. */
  signedOutByUser: boolean;
}

/** A store for `useSyncExternalStore` that holds the session. */
export interface SessionSource {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => Session;
  /** Return the session of a prerendered page, which is always signed out. */
  getServerSnapshot: () => Session;
  /** Return the session of a prerendered page for members, which is always loading. */
  getLoadingSnapshot: () => Session;
  /** Start to follow the server and other tabs; returns a function that stops. */
  start: () => () => void;
}

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

export const importApi = () => import(/* webpackChunkName: "session" */ './sessionApi');

/**
 * The session of this browser tab (spec section 4).
 *
 * Part of the first load; sessionApi.ts, with Apollo, is loaded by `preload` or the first call to the server.
 */
export class SessionStore implements SessionSource {
  readonly #actions: SessionActions;
  readonly #serverSnapshot: Session;
  readonly #loadingSnapshot: Session;
  readonly #storage = new TokenStorage();
  readonly #listeners = new Set<() => void>();
  /** The fetches of the member under way, by token. */
  readonly #fetches = new Map<string, Promise<void>>();
  #state: SessionState;
  #snapshot: Session;
  #api: Promise<typeof SessionApi> | undefined;

  constructor() {
    this.#actions = {
      preload: () => void loadChunk(importApi, 'optional').catch(() => undefined),
      signIn: async (input) => this.#startSession(await (await this.#loadApi()).signIn(input)),
      signUp: async (input) => this.#startSession(await (await this.#loadApi()).signUp(input)),
      signOut: () => this.#revokeAndEnd((api, token) => api.logout(token), true),
      refresh: (maxAgeMs) => this.#refresh(maxAgeMs),
      updateProfile: (input) => this.#updateProfile(input),
      resendVerification: () => this.#resendVerification(),
      changePassword: (input) => this.#changePassword(input),
      signOutEverywhere: () => this.#revokeAndEnd((api) => api.signOutEverywhere()),
      deleteAccount: (input) => this.#revokeAndEnd((api) => api.deleteAccount(input)),
    };
    this.#serverSnapshot = this.#toSnapshot(SIGNED_OUT);
    this.#loadingSnapshot = { ...this.#serverSnapshot, status: 'loading' };
    this.#state = { ...SIGNED_OUT, token: this.#storage.read() };
    this.#snapshot = this.#toSnapshot(this.#state);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly getSnapshot = () => this.#snapshot;

  readonly getServerSnapshot = () => this.#serverSnapshot;

  readonly getLoadingSnapshot = () => this.#loadingSnapshot;

  readonly start = () => {
    const controller = new AbortController();
    const { signal } = controller;
    markDocument(this.#state.token);
    // Another tab changed the token; the page left the back/forward cache; the network is back; the tab is shown.
    for (const event of ['storage', 'pageshow', 'online']) {
      window.addEventListener(event, this.#synchronize, { signal });
    }
    document.addEventListener('visibilitychange', this.#synchronize, { signal });
    this.#synchronize();
    return () => controller.abort();
  };

  /** Follow the stored token, and fetch the member when missing. */
  readonly #synchronize = () => {
    const token = this.#storage.read();
    if (token !== this.#state.token) this.#reset({ token });
    // After a failure a hidden tab waits until it is shown.
    if (!this.#state.member && !(this.#state.hasFailed && document.hidden)) void this.#refresh();
  };

  /** Start the session of a member who has just signed in. */
  async #startSession({ token, user }: SignInMutation['signIn']): Promise<void> {
    const { token: previous } = this.#state;
    this.#reset({ token, member: { avatar: null, updatedAt: '', ...user } });
    if (!previous || previous === token) return;
    const api = await this.#loadApi();
    void api.logout(previous).catch(() => undefined);
  }

  /**
   * Send a request that revokes the token, then end the session.
   *
   * @param isRejectionSuccess whether a token that the server rejects counts as revoked; it is cleared by then
   */
  async #revokeAndEnd(
    request: (api: typeof SessionApi, token: string) => Promise<void>,
    isRejectionSuccess = false,
  ): Promise<void> {
    const { token } = this.#state;
    if (!token) return;
    try {
      await request(await this.#loadApi(), token);
    } catch (error) {
      if (!isRejectionSuccess || this.#state.token === token) throw error;
    }
    if (this.#state.token === token || !this.#state.token) this.#endSession(token, { signedOutByUser: true });
  }

  async #refresh(maxAgeMs = 0): Promise<void> {
    const { token, fetchedAt } = this.#state;
    if (!token || Date.now() - fetchedAt < maxAgeMs) return undefined;
    let fetching = this.#fetches.get(token);
    if (!fetching) {
      fetching = this.#fetchMember().finally(() => this.#fetches.delete(token));
      this.#fetches.set(token, fetching);
    }
    return fetching;
  }

  async #fetchMember(): Promise<void> {
    if (this.#state.hasFailed) this.#update({ hasFailed: false });
    const before = this.#state;
    try {
      const member = await (await this.#loadApi()).fetchMember();
      // The answer is obsolete once the session has changed.
      if (this.#state === before) this.#update({ member, fetchedAt: Date.now() });
    } catch (error) {
      if (this.#state !== before) return;
      // eslint-disable-next-line no-console -- spec section 8
      console.warn('The current user could not be fetched.', error);
      this.#update({ hasFailed: true });
    }
  }

  async #updateProfile(input: UpdateProfileInput): Promise<void> {
    const { token } = this.#state;
    const profile = await (await this.#loadApi()).updateProfile(input);
    const { member, token: current } = this.#state;
    // Two answers may arrive in the reverse order.
    const isObsolete = member && Date.parse(profile.updatedAt) < Date.parse(member.updatedAt);
    if (member && !isObsolete && current === token) this.#update({ member: { ...member, ...profile } });
  }

  async #resendVerification(): Promise<boolean> {
    const isSent = await (await this.#loadApi()).resendVerification();
    // The email was verified elsewhere, so the cached user is out of date.
    if (!isSent) void this.#refresh();
    return isSent;
  }

  async #changePassword(input: ChangePasswordInput): Promise<void> {
    const { token: before } = this.#state;
    const token = await (await this.#loadApi()).changePassword(input);
    // Another tab may have signed in somebody else meanwhile.
    if (this.#state.token === before) this.#update({ token });
  }

  readonly #rejectToken = (token: string) => {
    if (token !== this.#state.token) return;
    // eslint-disable-next-line no-console -- spec section 8
    console.warn('The server rejected the token: signed out.');
    this.#endSession(token);
  };

  /** End the session of a token; another tab may already have stored the token of a newer one. */
  #endSession(token: string, state: Partial<SessionState> = {}): void {
    const stored = this.#storage.read();
    if (!stored || stored === token) {
      this.#reset(state);
    } else {
      this.#reset({ token: stored });
      void this.#refresh();
    }
  }

  /** Replace the session. */
  #reset(state: Partial<SessionState>): void {
    this.#update({ ...SIGNED_OUT, ...state });
  }

  #update(changes: Partial<SessionState>): void {
    const { token } = this.#state;
    this.#state = { ...this.#state, ...changes };
    if (this.#state.token !== token) {
      this.#storage.write(this.#state.token);
      markDocument(this.#state.token);
    }
    this.#snapshot = this.#toSnapshot(this.#state);
    for (const listener of this.#listeners) listener();
  }

  async #loadApi() {
    this.#api ??= loadChunk(importApi, 'required').then((api) => {
      api.setAuthTokenSource({ getToken: () => this.#state.token, onRejected: this.#rejectToken });
      return api;
    });
    try {
      return await this.#api;
    } catch (error) {
      this.#api = undefined;
      throw error;
    }
  }

  #toSnapshot({ token, member, hasFailed, signedOutByUser }: SessionState): Session {
    const status = !token ? 'signed-out' : member ? 'signed-in' : hasFailed ? 'unreachable' : 'loading';
    return {
      ...this.#actions,
      user: member,
      isAuthenticated: status === 'signed-in',
      status,
      signedOutByUser,
    };
  }
}
