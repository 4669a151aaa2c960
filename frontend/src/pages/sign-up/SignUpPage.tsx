import { MailCheck } from 'lucide';
import { use, useEffect, useState } from 'react';

import heroSailorsSquare from '@media/hero-sailors-square.avif?picture';
import heroSailorsStrip from '@media/hero-sailors-strip.avif?picture';
import type { SignUpInput } from '../../lib/api/generated';
import { Form } from '../../forms/Form';
import { NewPasswordField } from '../../forms/NewPasswordField';
import { useForm } from '../../forms/useForm';
import { EMAIL_ATTRIBUTES } from '../../forms/validation/email';
import { NEW_PASSWORD_ATTRIBUTES } from '../../forms/validation/schemas';
import { useT } from '../../i18n/LanguageProvider';
import { NavigationContext, useGo } from '../../lib/router/navigation';
import { AuthIntro, AuthLinks } from '../../shell/AuthIntro';
import type { FormScene } from '../../shell/AuthLayout';
import { SignedInNotice } from '../../shell/SignedInNotice';
import { AcceptTerms } from '../../legal/AcceptTerms';
import { useAuth } from '../../session/AuthProvider';
import { Button, ButtonLink } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Confirmation } from '../../ui/Confirmation';
import { Link } from '../../ui/Link';
import { PasswordField } from '../../ui/PasswordField';
import { SelectField } from '../../ui/SelectField';
import { TextField } from '../../ui/Field';
import { POSITIONS, signUpSchema, type SignUpValues } from './signUp.schema';
import * as styles from './SignUpPage.module.css';

export { AuthLayout as Layout } from '../../shell/AuthLayout';

/** Spec sections 2 and 9. */
const REDIRECT_DELAY_MS = 3000;

export const scene: FormScene = {
  picture: heroSailorsStrip,
  square: heroSailorsSquare,
  alt: 'auth.signUpPicture',
  text: 'auth.signUpPictureLine',
  className: styles.screen,
};

/** `/signup`: the form, then its confirmation, which redirects to /signin (spec section 2, Sign-up). */
export default function SignUpPage() {
  const t = useT();
  const go = useGo('redirect');
  const { isOpening } = use(NavigationContext);
  const [email, setEmail] = useState('');
  const isDone = email !== '';

  useEffect(() => {
    if (!isDone || isOpening) return undefined;
    const timer = setTimeout(() => go('/signin', { replace: true }), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [go, isDone, isOpening]);

  return (
    <Confirmation
      isDone={isDone}
      icon={MailCheck}
      title={t('auth.welcome')}
      message={t('auth.created')}
      texts={[t('auth.sentTo', { email }), t('auth.redirecting')]}
      link={<ButtonLink to="/signin">{t('navigation.signIn')}</ButtonLink>}
    >
      <SignUpForm onCreated={setEmail} />
    </Confirmation>
  );
}

/** The sign-up form with its heading and links. */
function SignUpForm({ onCreated }: { onCreated: (email: string) => void }) {
  const t = useT();
  const { signUp, preload } = useAuth();
  useEffect(preload, [preload]);

  const { form, values, field, checkbox } = useForm({
    schema: signUpSchema,
    fallback: 'auth.signUpFailed',
    send: async (values) => {
      await signUp(toInput(values));
      onCreated(values.email);
    },
  });

  return (
    <>
      <AuthIntro title={t('auth.signUpTitle')} lead={t('auth.signUpLead')}>
        {!form.pending && <SignedInNotice />}
      </AuthIntro>
      <Form
        form={form}
        actions={
          <Button
            type="submit"
            data-track="create_account"
            pendingLabel={form.pending && t('auth.creatingAccount')}
          >
            {t('auth.createAccount')}
          </Button>
        }
      >
        <div className={styles.name}>
          <TextField {...field('firstName')} label={t('auth.firstName')} autoComplete="given-name" required />
          <TextField {...field('lastName')} label={t('auth.lastName')} autoComplete="family-name" required />
        </div>
        <TextField {...EMAIL_ATTRIBUTES} {...field('email')} label={t('auth.email')} autoComplete="email" />
        <NewPasswordField
          {...field('password')}
          label={t('auth.password')}
          revealLabel={t('auth.showPassword')}
        />
        <PasswordField
          {...field('confirmPassword')}
          label={t('auth.confirmPassword')}
          revealLabel={t('auth.showConfirmPassword')}
          {...NEW_PASSWORD_ATTRIBUTES}
          required
        />
        <div className={styles.license}>
          <Checkbox {...checkbox('captainLicense')} label={t('auth.captainLicense')} />
          {values.captainLicense && (
            <div className={styles.number}>
              <TextField
                {...field('captainLicenseNumber')}
                label={t('auth.captainLicenseNumber')}
                autoComplete="off"
                spellCheck={false}
                required
              />
            </div>
          )}
        </div>
        <SelectField
          {...field('favoritePosition')}
          label={t('auth.favoritePosition')}
          options={POSITIONS.map(({ value, label }) => ({ value, label: t(label) }))}
        />
        <p className="muted">
          <AcceptTerms message="auth.joining" />
        </p>
      </Form>
      <AuthLinks>
        <p>
          <span>{t('auth.haveAccount')}</span>
          <Link to="/signin">{t('navigation.signIn')}</Link>
        </p>
        <Link to="/" data-track="back_to_home">
          {t('auth.backHome')}
        </Link>
      </AuthLinks>
    </>
  );
}

/** Return what is sent: no password confirmation, and a license number only with a license (spec section 3). */
function toInput(values: SignUpValues): SignUpInput {
  const { firstName, lastName, email, password, captainLicense } = values;
  return {
    ...{ firstName, lastName, email, password, captainLicense },
    captainLicenseNumber: captainLicense ? values.captainLicenseNumber : null,
    favoritePosition: values.favoritePosition || null,
  };
}
