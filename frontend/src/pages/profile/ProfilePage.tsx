import { CircleCheck } from 'lucide';
import { startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import { lazyWithMessages } from '../../loading/lazyWithMessages';
import { LoadState } from '../../loading/QueryBoundary';
import { reloadPage } from '../../chunks/reloadPage';
import { onUserInteraction } from '../../chunks/userInteraction';
import { useAuth } from '../../session/AuthProvider';
import type { Member } from '../../session/member';
import { useFreshUser } from '../../session/useFreshUser';
import { useLazyLoad } from '../../toast/useLazyLoad';
import { Icon } from '../../ui/Icon';
import { passFocusOn } from '../../ui/passFocusOn';
import { AccountSection } from './AccountSection';
import { MemberFacts } from './MemberFacts';
import { ProfileHeader } from './ProfileHeader';
import * as styles from './ProfilePage.module.css';

export { AppLayout as Layout } from '../../layouts/AppLayout';

/** Loaded with the first interaction: Formik and Yup are a quarter of the page's JavaScript. */
export const LazyProfileForm = lazyWithMessages(
  () => import(/* webpackChunkName: "profile-form" */ './ProfileForm'),
);

/** Spec section 9. */
const CONFIRMATION_MS = 3000;

/** `/profile` (spec section 2, Profile). */
export default function ProfilePage() {
  const user = useFreshUser();
  const { status } = useAuth();
  return (
    <div className={styles.page}>
      {user ? <Profile user={user} /> : <ProfileLoading hasFailed={status === 'unreachable'} />}
    </div>
  );
}

function Profile({ user }: { user: Member }) {
  const [mode, setMode] = useState<'read' | 'edit'>('read');
  const [saved, setSaved] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);

  const { isPending, load } = useLazyLoad(LazyProfileForm);
  const preload = useEffectEvent(() => void load('optional'));
  useEffect(() => onUserInteraction(() => preload()), []);

  // The focused button has been removed with the form.
  useEffect(() => {
    if (mode === 'read' && wasEditing.current) editButton.current?.focus();
    wasEditing.current = mode === 'edit';
  }, [mode]);

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [saved]);

  async function edit() {
    trackButton('edit_profile', 'profile');
    setSaved(false);
    if (await load('required')) startTransition(() => setMode('edit'));
  }

  function confirmSaved() {
    setSaved(true);
    setMode('read');
  }

  return (
    <>
      <ProfileHeader
        user={user}
        editButton={editButton}
        isOpening={isPending}
        onEdit={mode === 'read' ? () => void edit() : undefined}
      />
      {/* A live region must exist before its text. */}
      <p role="status" className={styles.saved}>
        {saved && (
          <>
            <Icon icon={CircleCheck} size={20} />
            <FormattedMessage id="profile.saved" />
          </>
        )}
      </p>
      {mode === 'edit' ? (
        <LazyProfileForm user={user} onSaved={confirmSaved} onCancel={() => setMode('read')} />
      ) : (
        <MemberFacts user={user} />
      )}
      <AccountSection user={user} />
    </>
  );
}

/** Show that the profile is loading or could not be loaded, with a Retry button. */
function ProfileLoading({ hasFailed }: { hasFailed: boolean }) {
  const { formatMessage } = useIntl();

  function retry() {
    trackButton('retry', 'profile');
    reloadPage();
  }

  return (
    <div ref={passFocusOn}>
      <h1 className="visually-hidden">{formatMessage({ id: 'profile.title' })}</h1>
      <LoadState
        hasFailed={hasFailed}
        onRetry={retry}
        messages={{
          loading: 'profile.loading',
          failed: 'profile.loadFailed',
          hint: 'profile.loadFailedHint',
          retry: 'profile.retry',
        }}
      />
    </div>
  );
}
