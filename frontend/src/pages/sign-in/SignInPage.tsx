import { clsx } from 'clsx';
import type { IconNode } from 'lucide';
import { useEffect, useState } from 'react';
import { object } from 'yup';

import { Form } from '../../forms/Form';
import { useForm } from '../../forms/useForm';
import oceanPoster from '@media/ocean-poster.avif?picture';
import { EMAIL_ATTRIBUTES } from '../../forms/validation/email';
import { email, password } from '../../forms/validation/schemas';
import type { MessageId } from '../../i18n/catalogues';
import { useT } from '../../i18n/LanguageProvider';
import { useGo } from '../../lib/router/navigation';
import { useHydrated } from '../../lib/useHydrated';
import { useAuth } from '../../session/AuthProvider';
import { useAskedPage } from '../../session/destination';
import { AuthIntro, AuthLinks } from '../../shell/AuthIntro';
import type { FormScene } from '../../shell/AuthLayout';
import { SignedInNotice } from '../../shell/SignedInNotice';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import { PasswordField } from '../../ui/PasswordField';
import { TextField } from '../../ui/Field';
import * as styles from './SignInPage.module.css';

export { AuthLayout as Layout } from '../../shell/AuthLayout';

/** The rules of spec section 5, Sign-in. */
const schema = object({
  email: email(),
  password: password(6, 'auth.signInPasswordTooShort'),
});

/** Why a page for members sent the visitor here. */
const REASONS: Record<string, MessageId> = {
  '/dashboard': 'auth.signInForDashboard',
  '/notifications': 'auth.signInForNotifications',
  '/profile': 'auth.signInForProfile',
};

/** A letter G, because lucide has no logos. */
const LETTER_G_ICON: IconNode = [['path', { d: 'M18 6.5A8 8 0 1 0 20 12h-7' }]];

export const scene: FormScene = {
  picture: oceanPoster,
  alt: 'auth.signInPicture',
  text: 'auth.signInPictureLine',
  className: styles.screen,
};

/** `/signin` (spec section 2, Sign-in). It never redirects a visitor who is already signed in. */
export default function SignInPage() {
  const t = useT();
  const { signIn, preload } = useAuth();
  const askedPage = useAskedPage();
  const destination = askedPage ?? '/dashboard'; // spec section 2, Sign-in
  // The page is prerendered without a reason.
  const reason = useHydrated() && askedPage && REASONS[askedPage.replace(/[?#].*/, '')];
  const lead = reason || 'auth.signInLead';
  const go = useGo('redirect');
  const [redirectTo, setRedirectTo] = useState<string>();

  const { form, field } = useForm({
    schema,
    fallback: 'auth.signInFailed',
    send: async (values) => {
      await signIn(values);
      setRedirectTo(destination);
    },
  });

  useEffect(preload, [preload]);

  // In an effect: a visitor who has left the page meanwhile is not redirected.
  useEffect(() => {
    if (redirectTo) go(redirectTo, { replace: true });
  }, [go, redirectTo]);

  return (
    <>
      <AuthIntro title={t('auth.signInTitle')} lead={t(lead)}>
        {!form.pending && <SignedInNotice />}
      </AuthIntro>
      <Form
        form={form}
        actions={
          <>
            <Button type="submit" data-track="set_sail" pendingLabel={form.pending && t('auth.signingIn')}>
              {t('auth.setSail')}
            </Button>
            <p className={clsx('muted', styles.or)}>{t('auth.or')}</p>
            <Button variant="secondary" className={styles.google} disabled>
              <Icon icon={LETTER_G_ICON} size={20} />
              <span>{t('auth.google')}</span>
            </Button>
          </>
        }
      >
        <TextField
          {...EMAIL_ATTRIBUTES}
          {...field('email')}
          label={t('auth.email')}
          autoComplete="username"
        />
        <div className={styles.password}>
          <PasswordField
            {...field('password')}
            label={t('auth.password')}
            revealLabel={t('auth.showPassword')}
            autoComplete="current-password"
            required
          />
          <Link to="/forgot-password" className={clsx('target', styles.forgot)}>
            {t('auth.forgotPassword')}
          </Link>
        </div>
      </Form>
      <AuthLinks>
        <p>
          <span>{t('auth.newHere')}</span>
          <Link to="/signup">{t('navigation.joinTheCrew')}</Link>
        </p>
      </AuthLinks>
    </>
  );
}
