import { createContext } from 'react';

/** A visitor's wish to see the privacy settings. */
export interface PrivacyRequest {
  /** What was pressed, which gets the focus back. */
  opener: HTMLElement;
}

interface PrivacyRequests {
  request: PrivacyRequest | undefined;
  setRequest: (request: PrivacyRequest | undefined) => void;
}

/** Between the button in the footer and the banner, which is loaded by itself. */
export const PrivacyRequestContext = createContext<PrivacyRequests>({
  request: undefined,
  setRequest: () => undefined,
});
