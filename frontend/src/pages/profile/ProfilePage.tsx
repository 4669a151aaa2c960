import { CircleCheck } from 'lucide';
import { startTransition, useEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { track } from '../../analytics/track';
import { lazyWithPreload } from '../../lazy/lazyWithPreload';
import { onUserInteraction } from '../../lazy/userInteraction';
import { type Member, useAuth } from '../../session/AuthProvider';
import { useFreshUser } from '../../session/useFreshUser';
import { ProfileLayout } from '../../shell/ProfileLayout';
import { Icon } from '../../ui/Icon';
import { MemberFacts } from './MemberFacts';
import { ProfileHeader } from './ProfileHeader';
import * as styles from './ProfilePage.module.css';
import { ProfileWait } from './ProfileWait';

/** Loaded with the first interaction: Formik and Yup are a quarter of the page's JavaScript. */
export const LazyProfileForm = lazyWithPreload(() =>
  import(/* webpackChunkName: "profile-form" */ './ProfileForm').then((module) => module.ProfileForm),
);

/** How long it is said that the profile was saved, in milliseconds (spec section 9). */
const SAID_FOR = 3000;

/** `/profile`: a member reads and edits what we know of them (spec section 2, Profile). */
export function ProfilePage() {
  const user = useFreshUser();
  const { status } = useAuth();
  return (
    <ProfileLayout>
      <div className={styles.page}>
        {user ? <Profile user={user} /> : <ProfileWait failed={status === 'unreachable'} />}
      </div>
    </ProfileLayout>
  );
}

function Profile({ user }: { user: Member }) {
  const [mode, setMode] = useState<'read' | 'edit'>('read');
  const [saved, setSaved] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);

  useEffect(() => onUserInteraction(() => LazyProfileForm.preload().catch(() => undefined)), []);

  // The button that had the focus is gone with the form: back to where editing began.
  useEffect(() => {
    if (mode === 'read' && wasEditing.current) editButton.current?.focus();
    wasEditing.current = mode === 'edit';
  }, [mode]);

  useEffect(() => {
    if (!saved) return;
    const timer = setTimeout(() => setSaved(false), SAID_FOR);
    return () => clearTimeout(timer);
  }, [saved]);

  function edit() {
    track('button_click', { button: 'edit_profile', location: 'profile' });
    setSaved(false);
    startTransition(() => setMode('edit'));
  }

  function keep() {
    setSaved(true);
    setMode('read');
  }

  return (
    <>
      <ProfileHeader user={user} editButton={editButton} onEdit={mode === 'read' ? edit : undefined} />
      {/* Stands there before its text, so that the text is announced. */}
      <p role="status" className={styles.saved}>
        {saved && (
          <>
            <Icon of={CircleCheck} size={20} />
            <FormattedMessage id="profile.saved" />
          </>
        )}
      </p>
      {mode === 'edit' ? (
        <LazyProfileForm user={user} onSaved={keep} onCancel={() => setMode('read')} />
      ) : (
        <MemberFacts user={user} />
      )}
    </>
  );
}
