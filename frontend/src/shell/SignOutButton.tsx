import { LogOut } from 'lucide';
import { useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../i18n/LanguageProvider';
import { clearReadNotifications } from '../features/notifications/notification';
import { useGo } from '../lib/router/navigation';
import { useAuth } from '../session/AuthProvider';
import { useToast } from './ToastProvider';
import { Icon } from '../ui/Icon';

/**
 * Sign the member out, go to `/` and say so in a toast.
 *
 * `/` replaces a page that may be for members only, so that this page does not stay when `/` cannot be loaded.
 * When it fails, the member stays signed in on the same page (spec section 8). Presses while one is pending are ignored.
 */
export function SignOutButton({ className }: { className?: string | undefined }) {
  const t = useT();
  const { signOut } = useAuth();
  const { alert, notify } = useToast();
  const go = useGo('redirect');
  const isPending = useRef(false);

  async function signOutAndGoHome() {
    if (isPending.current) return;
    isPending.current = true;
    // The menu has closed, and the server may take longer than a toast shows.
    notify(t('memberBar.signingOut'), true);
    try {
      await signOut();
      clearReadNotifications();
      alert(t('memberBar.signedOut'));
      void go('/', { replace: true });
    } catch {
      alert(t('memberBar.signOutFailed'));
    } finally {
      isPending.current = false;
    }
  }

  return (
    <button type="button" className={className} onClick={() => void signOutAndGoHome()}>
      <FormattedMessage id="memberBar.signOut" />
      <Icon icon={LogOut} size={18} />
    </button>
  );
}
