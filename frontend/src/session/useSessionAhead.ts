import { useEffect } from 'react';

import { loadChunk } from '../lazy/loadChunk';

/** Loads what signs in and up when the form for it shows, not on submitting. */
export function useSessionAhead(): void {
  useEffect(() => {
    // Should it fail, the visitor learns so on submitting, which tries again.
    loadChunk(() => import(/* webpackChunkName: "part-session" */ './sessionApi'), 'optional').catch(
      () => undefined,
    );
  }, []);
}
