import { clsx } from 'clsx';
import { CircleCheck, Pencil } from 'lucide';
import { type RefObject, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import cover from '@media/cover.avif?picture';
import { reloadPage } from '../../lib/reloadPage';
import { onUserInteraction } from '../../lib/userInteraction';
import { lazyWithMessages } from '../../lib/lazy';
import { LoadState } from '../../ui/QueryBoundary';
import { useAuth } from '../../session/AuthProvider';
import { getFullName, type Member } from '../../session/member';
import { useFreshUser } from '../../session/useFreshUser';
import { useLazyLoad } from '../../shell/useLazyLoad';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { passFocusOn } from '../../lib/pageStart';
import { PictureFrame } from '../../ui/PictureFrame';
import { Wave } from '../../ui/Wave';
import { AccountSection } from './AccountSection';
import { MemberFacts } from './MemberFacts';
import * as styles from './ProfilePage.module.css';

export { AppLayout as Layout } from '../../shell/AppLayout';

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
  const t = useT();

  return (
    <div ref={passFocusOn}>
      <h1 className="visually-hidden">{t('memberBar.profile')}</h1>
      <LoadState
        hasFailed={hasFailed}
        onRetry={reloadPage}
        messages={{
          loading: 'profile.loading',
          failed: 'profile.loadFailed',
          hint: 'profile.loadFailedHint',
        }}
      />
    </div>
  );
}

interface ProfileHeaderProps {
  user: Member;
  editButton: RefObject<HTMLButtonElement | null>;
  /** Whether the form is being loaded. */
  isOpening: boolean;
  /** Undefined while the profile is being edited. */
  onEdit: (() => void) | undefined;
}

/** The name of the member and the edit button. */
function ProfileHeader({ user, editButton, isOpening, onEdit }: ProfileHeaderProps) {
  const t = useT();
  const name = getFullName(user);
  return (
    <Card className={styles.header}>
      <PictureFrame
        files={cover}
        alt=""
        sizes="(width >= 1440px) 84rem, max(100vw, 40rem)"
        lazy={false}
        className={styles.water}
        pictureClassName={styles.picture}
      >
        <Wave className={styles.wave} />
      </PictureFrame>
      <div className={styles.person}>
        <div className={styles.avatar}>
          <Avatar name={name} size="large" />
        </div>
        <div className={styles.names}>
          <h1 className={clsx('heading', styles.name)}>{name}</h1>
          {user.nickname && (
            <p className={styles.nickname}>{t('profile.quotedNickname', { nickname: user.nickname })}</p>
          )}
        </div>
        {onEdit && (
          <Button
            ref={editButton}
            data-track="edit_profile"
            onClick={onEdit}
            pendingLabel={isOpening && t('profile.opening')}
            className={styles.edit}
          >
            <Icon icon={Pencil} size={18} />
            <FormattedMessage id="profile.edit" />
          </Button>
        )}
      </div>
    </Card>
  );
}
