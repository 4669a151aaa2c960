import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

import { useAuth } from './AuthProvider';
import type { Member } from './member';

/** How long the current user counts as fresh, in milliseconds (spec section 9, Query freshness). */
const MAX_AGE_MS = 300_000;

/** Return the current user, fetched again unless fresh on mount and whenever the location changes. */
export function useFreshUser(): Member | null {
  const { user, refresh } = useAuth();
  const { key } = useLocation(); // header and menus stay when the next page has the same layout
  useEffect(() => void refresh(MAX_AGE_MS), [refresh, key]);
  return user;
}
