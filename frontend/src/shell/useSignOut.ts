import { useRef } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import { useAuth } from '../session/AuthProvider';
import { useToast } from '../toast/ToastProvider';
import { forgetReading } from '../notifications/useNotificationSet';

/** How long after signing out it is said, in milliseconds (spec sections 4 and 9). */
const CONFIRMATION_DELAY = 100;

/**
 * Signs the member out, then says so and goes to `/`. When that fails it says so, and the member stays signed in where
 * they are (spec section 8). Asked again meanwhile, it does nothing more.
 */
export function useSignOut(): () => Promise<void> {
  const { formatMessage } = useIntl();
  const { signOut } = useAuth();
  const { alert } = useToast();
  const navigate = useNavigate();
  const underWay = useRef(false);

  return async () => {
    if (underWay.current) return;
    underWay.current = true;
    try {
      await signOut();
      forgetReading();
      setTimeout(() => alert(formatMessage({ id: 'memberBar.signedOut' })), CONFIRMATION_DELAY);
      void navigate('/');
    } catch {
      alert(formatMessage({ id: 'memberBar.signOutFailed' }));
    } finally {
      underWay.current = false;
    }
  };
}
