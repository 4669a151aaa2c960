import { clsx } from 'clsx';
import { CircleCheck, Pencil } from 'lucide';
import { startTransition, useEffect, useEffectEvent, useId, useState } from 'react';

import { Text, useT } from '../../i18n/LanguageProvider';
import { lazyWithMessages } from '../../lib/lazy';
import { reloadPage } from '../../lib/reloadPage';
import { onUserInteraction } from '../../lib/userInteraction';
import { useAuth } from '../../session/AuthProvider';
import { getFullName, type Member } from '../../session/member';
import { useFreshUser } from '../../session/useFreshUser';
import { useLazyLoad } from '../../ui/useLazyLoad';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { CoverHeader } from '../../ui/CoverHeader';
import { Icon } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import { PageLoadState } from '../../ui/StateCard';
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
      {user ? (
        <Profile user={user} />
      ) : (
        <PageLoadState
          title="memberBar.profile"
          hasFailed={status === 'unreachable'}
          onRetry={reloadPage}
          messages={{
            loading: 'profile.loading',
            failed: 'profile.loadFailed',
            hint: 'profile.loadFailedHint',
          }}
        />
      )}
    </div>
  );
}

function Profile({ user }: { user: Member }) {
  const t = useT();
  const detailsId = useId();
  const [mode, setMode] = useState<'read' | 'edit' | 'canceled' | 'saved'>('read');
  const { isPending, load } = useLazyLoad(LazyProfileForm);
  const preload = useEffectEvent(() => void load('optional'));
  useEffect(() => onUserInteraction(() => preload()), []);

  useEffect(() => {
    if (mode !== 'saved') return;
    const timer = setTimeout(() => setMode('canceled'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [mode]);

  async function edit() {
    if (await load('required')) startTransition(() => setMode('edit'));
  }

  const name = getFullName(user);
  return (
    <>
      <CoverHeader name={name} size="large">
        <div>
          <h1 className="heading">{name}</h1>
          {user.nickname && (
            <p className={styles.nickname}>{t('profile.quotedNickname', { nickname: user.nickname })}</p>
          )}
        </div>
        {mode !== 'edit' && (
          <Button
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focused button has been removed with the form
            autoFocus={mode !== 'read'}
            data-track="edit_profile"
            onClick={() => void edit()}
            pendingLabel={isPending && t('profile.opening')}
            className={styles.edit}
          >
            <Icon icon={Pencil} size={18} />
            <Text>{t('profile.edit')}</Text>
          </Button>
        )}
      </CoverHeader>
      {/* A live region must exist before its text. */}
      <div role="status" className={styles.saved}>
        {mode === 'saved' && (
          <IconText element="p" icon={CircleCheck} size={20}>
            {t('profile.saved')}
          </IconText>
        )}
      </div>
      <Card element="section" aria-labelledby={detailsId} className={clsx('stack', styles.details)}>
        <h2 id={detailsId} className="title">
          {t(mode === 'edit' ? 'profile.editTitle' : 'profile.details')}
        </h2>
        {mode === 'edit' ? (
          <LazyProfileForm
            user={user}
            onSaved={() => setMode('saved')}
            onCancel={() => setMode('canceled')}
          />
        ) : (
          <MemberFacts user={user} />
        )}
      </Card>
      <AccountSection user={user} />
    </>
  );
}
