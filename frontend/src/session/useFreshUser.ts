import { useEffect } from 'react';

import { type Member, useAuth } from './AuthProvider';

/** How long the current user is fresh, in milliseconds (spec section 9, Query freshness). */
const FRESH_FOR = 300_000;

/** The current user, for a screen that shows them: fetched anew when it appears and they are not fresh. */
export function useFreshUser(): Member | null {
  const { user, refresh } = useAuth();
  useEffect(() => void refresh(FRESH_FOR), [refresh]);
  return user;
}
