import { loadChunk } from '../lazy/loadChunk';
import type { Member, Session, SessionSource } from './AuthProvider';
import type { SessionCalls } from './SessionCalls';
import { TokenStorage } from './TokenStorage';

/** What is known of the session. */
export interface SessionState {
  token: string | null;
  /** The answer of the query of this name, kept. */
  me: Member | null;
  /** When it was that answer, in milliseconds; 0 when it is in part only, as signing in gives it. */
  fetchedAt: number;
  /** Whether the last try to fetch it failed, for another reason than a token that does not count. */
  outage: boolean;
  hasLeft: boolean;
}

export const NOBODY: SessionState = { token: null, me: null, fetchedAt: 0, outage: false, hasLeft: false };

/**
 * The session of this browser, in this tab (spec section 4).
 *
 * Every first load carries it; what talks to the server comes later, with SessionCalls.
 */
export class SessionStore implements SessionSource {
  state: SessionState;
  readonly #storage = new TokenStorage();
  readonly #listeners = new Set<() => void>();
  readonly #ways: Pick<
    Session,
    'signIn' | 'signUp' | 'signOut' | 'refresh' | 'updateProfile' | 'resendVerification'
  >;
  readonly #nobodys: Session;
  #session: Session;
  #calls: Promise<SessionCalls> | undefined;

  constructor() {
    this.#ways = {
      signIn: async (values) => (await this.#load()).signIn(values),
      signUp: async (input) => (await this.#load()).signUp(input),
      signOut: async () => (await this.#load()).signOut(),
      refresh: (freshFor) => this.#refresh(freshFor),
      updateProfile: async (input) => (await this.#load()).updateProfile(input),
      resendVerification: async () => (await this.#load()).resendVerification(),
    };
    this.#nobodys = this.#tell(NOBODY);
    this.state = { ...NOBODY, token: this.#storage.read() };
    this.#session = this.#tell(this.state);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly getSnapshot = () => this.#session;

  readonly getServerSnapshot = () => this.#nobodys;

  readonly start = () => {
    const ended = new AbortController();
    // The other tabs; a page that comes back from the browser's memory; a network that does.
    for (const event of ['storage', 'pageshow', 'online']) {
      window.addEventListener(event, this.#follow, { signal: ended.signal });
    }
    document.addEventListener('visibilitychange', this.#follow, { signal: ended.signal });
    this.#follow();
    return () => ended.abort();
  };

  /** Takes over what has become known; the token into the storage too. */
  set(news: Partial<SessionState>): void {
    const { token } = this.state;
    this.state = { ...this.state, ...news };
    if (this.state.token !== token) this.#storage.write(this.state.token);
    this.#session = this.#tell(this.state);
    for (const listener of this.#listeners) listener();
  }

  /** Ends what is known of one session, with all that is cached, and begins with a token or without. */
  begin(state: Partial<SessionState>): void {
    this.#calls?.then(
      (calls) => calls.forget(),
      () => undefined,
    );
    this.set({ ...NOBODY, ...state });
  }

  /** Brings the session up to what the storage says, and fetches the member who is missing. */
  readonly #follow = () => {
    const token = this.#storage.read();
    if (token !== this.state.token) this.begin({ token });
    // After an outage a hidden tab waits until it shows.
    if (!this.state.me && !(this.state.outage && document.hidden)) void this.#refresh();
  };

  async #refresh(freshFor = 0): Promise<void> {
    const { token, fetchedAt } = this.state;
    if (!token || Date.now() - fetchedAt < freshFor) return;
    try {
      await (await this.#load()).refresh();
    } catch {
      if (token === this.state.token) this.set({ outage: true });
    }
  }

  async #load(): Promise<SessionCalls> {
    this.#calls ??= loadChunk(
      () => import(/* webpackChunkName: "session" */ './SessionCalls'),
      'required',
    ).then((module) => new module.SessionCalls(this));
    try {
      return await this.#calls;
    } catch (error) {
      this.#calls = undefined;
      throw error;
    }
  }

  #tell({ token, me, outage, hasLeft }: SessionState): Session {
    const status = !token ? 'signed-out' : me ? 'signed-in' : outage ? 'unreachable' : 'loading';
    return { ...this.#ways, user: me, isAuthenticated: status === 'signed-in', status, hasLeft };
  }
}
