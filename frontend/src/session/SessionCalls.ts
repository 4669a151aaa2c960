import { carryTokenOf } from '../graphql/bearer';
import { client } from '../graphql/client';
import {
  LogoutDocument,
  MeDocument,
  ResendVerificationDocument,
  SignInDocument,
  type SignInInput,
  type SignInMutation,
  SignUpDocument,
  type SignUpInput,
  UpdateProfileDocument,
  type UpdateProfileInput,
} from '../graphql/generated';
import type { SessionState, SessionStore } from './SessionStore';
import { TokenStorage } from './TokenStorage';

/** The session keeps what it is answered itself. */
const UNCACHED = { fetchPolicy: 'no-cache' } as const;

/** What the session asks of the server (spec section 7). A call that is under way is not made twice with the same input. */
export class SessionCalls {
  readonly #store: SessionStore;
  readonly #pending = new Set<PendingCall>();

  constructor(store: SessionStore) {
    this.#store = store;
    carryTokenOf({ token: () => store.state.token, refused: (token) => this.#refused(token) });
  }

  signIn(input: SignInInput): Promise<void> {
    return this.#once(['signIn', input], async () => {
      const { signIn } = dataOf(
        await client.mutate({ mutation: SignInDocument, variables: { input }, ...UNCACHED }),
      );
      this.#enter(signIn);
    });
  }

  signUp(input: SignUpInput): Promise<void> {
    return this.#once(['signUp', input], async () => {
      const { signUp } = dataOf(
        await client.mutate({ mutation: SignUpDocument, variables: { input }, ...UNCACHED }),
      );
      this.#enter(signUp);
    });
  }

  signOut(): Promise<void> {
    return this.#once(['signOut'], async () => {
      const { token } = this.#store.state;
      if (!token) return;
      try {
        await revoke(token);
      } catch (error) {
        // Refused, the token is as useless as it was to become.
        if (this.#store.state.token === token) throw error;
      }
      if (this.#store.state.token === token || !this.#store.state.token) this.#end(token, { hasLeft: true });
    });
  }

  refresh(): Promise<void> {
    const { token } = this.#store.state;
    return token ? this.#once(['me', token], () => this.#fetch()) : Promise.resolve();
  }

  updateProfile(input: UpdateProfileInput): Promise<void> {
    return this.#once(['updateProfile', input], async () => {
      const { token } = this.#store.state;
      const { updateProfile } = dataOf(
        await client.mutate({ mutation: UpdateProfileDocument, variables: { input }, ...UNCACHED }),
      );
      const { me, token: present } = this.#store.state;
      // Of two at once the answer to the former may come last.
      const isOld = me && Date.parse(updateProfile.updatedAt) < Date.parse(me.updatedAt);
      if (me && !isOld && present === token) this.#store.set({ me: { ...me, ...updateProfile } });
    });
  }

  resendVerification(): Promise<boolean> {
    return this.#once(['resendVerification'], async () => {
      const { resendVerification } = dataOf(
        await client.mutate({ mutation: ResendVerificationDocument, ...UNCACHED }),
      );
      // Verified meanwhile: this page does not know yet.
      if (!resendVerification) void this.refresh();
      return resendVerification;
    });
  }

  /** Forgets every answer that is cached. */
  forget(): void {
    void client.clearStore();
  }

  #refused(token: string): void {
    if (token !== this.#store.state.token) return;
    // eslint-disable-next-line no-console -- Spec section 8: logged. The visitor sees that they are signed out.
    console.warn('The server does not take the token any more: signed out.');
    this.#end(token, {});
  }

  /** Ends the session of a token; follows another tab that has begun one since, of which this one is yet to hear. */
  #end(token: string, news: Partial<SessionState>): void {
    const stored = new TokenStorage().read();
    if (!stored || stored === token) {
      this.#store.begin(news);
    } else {
      this.#store.begin({ token: stored });
      void this.#store.getSnapshot().refresh();
    }
  }

  #enter({ token, user }: SignInMutation['signIn']): void {
    const { token: before } = this.#store.state;
    this.#store.begin({ token, me: { avatar: null, updatedAt: '', ...user } });
    // Who signs in as someone else leaves no token behind that still counts.
    if (before && before !== token) void revoke(before).catch(() => undefined);
  }

  async #fetch(): Promise<void> {
    if (this.#store.state.outage) this.#store.set({ outage: false });
    const asked = this.#store.state;
    try {
      const me = await fetchMe();
      // An answer to what was asked before the session changed says nothing about it now.
      if (this.#store.state === asked) this.#store.set({ me, fetchedAt: Date.now() });
    } catch (error) {
      if (this.#store.state !== asked) return;
      // eslint-disable-next-line no-console -- Spec section 8: logged. The page shows what it can do about it.
      console.warn('The current user could not be fetched.', error);
      this.#store.set({ outage: true });
    }
  }

  /** Makes a call unless the same one is under way: of the same name, about the same. */
  #once<Answer>([name, input]: [name: string, input?: Input], call: () => Promise<Answer>): Promise<Answer> {
    for (const pending of this.#pending) {
      if (pending.name === name && isSame(pending.input, input)) return pending.answer as Promise<Answer>;
    }
    const pending: PendingCall = { name, input, answer: call().finally(() => this.#pending.delete(pending)) };
    this.#pending.add(pending);
    return pending.answer as Promise<Answer>;
  }
}

/** What a call is about: a flat object, or a token. */
type Input = object | string;

interface PendingCall {
  name: string;
  /** The caller's own object, and no copy: it may hold a password. */
  input: Input | undefined;
  answer: Promise<unknown>;
}

function isSame(one: Input | undefined, other: Input | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  const [entries, others] = [Object.entries(one), Object.entries(other)];
  return (
    entries.length === others.length && entries.every(([name, value]) => Reflect.get(other, name) === value)
  );
}

/** The session says itself when to ask again (spec section 7). */
async function fetchMe() {
  const { me } = dataOf(
    await client.query({
      query: MeDocument,
      ...UNCACHED,
      // Never the answer to somebody else's question, who may have asked before this session began.
      context: { retry: false, queryDeduplication: false },
    }),
  );
  return { ...me, avatar: me.avatar || null };
}

/** Has a token count no more. */
async function revoke(token: string): Promise<void> {
  await client.mutate({ mutation: LogoutDocument, ...UNCACHED, context: { token } });
}

function dataOf<Data>({ data }: { data?: Data | undefined }): Data {
  // An error without words of its own, so that its caller's are shown (spec section 8).
  if (!data) throw new Error();
  return data;
}
