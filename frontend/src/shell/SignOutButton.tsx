import { LogOut } from 'lucide';
import { useRef } from 'react';
import { FormattedMessage } from 'react-intl';

import { clearReadNotifications } from '../features/notifications/notification';
import type { MessageId } from '../i18n/catalogues';
import { useT } from '../i18n/LanguageProvider';
import { focusHeading } from '../lib/pageStart';
import { useGo } from '../lib/router/navigation';
import { useAuth } from '../session/AuthProvider';
import { useToast } from '../ui/ToastProvider';
import { Icon } from '../ui/Icon';

/** Return the function that goes to `/` once the session has ended, and says why in a toast. */
export function useGoHome(): (messageId: MessageId) => void {
  const t = useT();
  const { alert } = useToast();
  const go = useGo('redirect');
  return (messageId) => {
    clearReadNotifications();
    alert(t(messageId));
    focusHeading(); // the focused button goes away, and `/` may be the page already
    go('/', { replace: true });
  };
}

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
  const goHome = useGoHome();
  const isPending = useRef(false);

  async function signOutAndGoHome() {
    if (isPending.current) return;
    isPending.current = true;
    // The menu has closed, and the server may take longer than a toast shows.
    notify(t('memberBar.signingOut'), true);
    try {
      await signOut();
      goHome('memberBar.signedOut');
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
