/** Who answers for the token that goes with every call: the session of the page. */
export interface Bearer {
  /** The token of the signed-in member, or null. */
  token: () => string | null;
  /** Told when the server no longer takes a token that went with a call. */
  refused: (token: string) => void;
}

const NOBODY: Bearer = { token: () => null, refused: () => undefined };

let present = NOBODY;

/**
 * Lets someone answer for the token from now on; the session knows the client, never the client the session.
 *
 * @returns ends that
 */
export function carryTokenOf(bearer: Bearer): () => void {
  present = bearer;
  return () => {
    if (present === bearer) present = NOBODY;
  };
}

/** Who answers for the token at present. */
export function currentBearer(): Bearer {
  return present;
}
