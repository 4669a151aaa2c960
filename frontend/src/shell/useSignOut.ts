import { useRef } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router-dom';

import { useAuth } from '../session/AuthProvider';
import { useToast } from '../toast/ToastProvider';
import { clearReadNotifications } from '../notifications/useNotificationSet';

/**
 * Return a function that signs the member out, goes to `/` and says so in a toast.
 *
 * When it fails, the member stays signed in on the same page (spec section 8). Calls while one is pending are ignored.
 */
export function useSignOut(): () => Promise<void> {
  const { formatMessage } = useIntl();
  const { signOut } = useAuth();
  const { alert } = useToast();
  const navigate = useNavigate();
  const isPending = useRef(false);

  return async () => {
    if (isPending.current) return;
    isPending.current = true;
    try {
      await signOut();
      clearReadNotifications();
      alert(formatMessage({ id: 'memberBar.signedOut' }));
      void navigate('/');
    } catch {
      alert(formatMessage({ id: 'memberBar.signOutFailed' }));
    } finally {
      isPending.current = false;
    }
  };
}
