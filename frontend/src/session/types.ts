import type {
  ChangePasswordInput,
  DeleteAccountInput,
  MeQuery,
  SignInInput,
  SignUpInput,
  UpdateProfileInput,
} from '../api/generated';

/** A member who is signed in (spec section 3, User). `updatedAt` is empty until the `me` query has answered. */
export type Member = Omit<MeQuery['me'], 'avatar'> & {
  /** Null without a picture, and until the `me` query has answered. */
  avatar: string | null;
};

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
