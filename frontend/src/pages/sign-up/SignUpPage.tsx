import { useState } from 'react';
import { useIntl } from 'react-intl';

import heroSailorsSquare from '@media/hero-sailors-square.avif?picture';
import heroSailorsStrip from '@media/hero-sailors-strip.avif?picture';
import { AuthLayout } from '../../layouts/AuthLayout';
import { Scene } from '../../layouts/Scene';
import { AccountCreated } from './AccountCreated';
import { SignUpForm } from './SignUpForm';
import * as styles from './SignUpPage.module.css';

/** `/signup`: the form, then its confirmation (spec section 2, Sign-up). */
export default function SignUpPage() {
  const { formatMessage } = useIntl();
  const [isCreated, setCreated] = useState(false);

  const scene = (
    <Scene
      picture={heroSailorsStrip}
      square={heroSailorsSquare}
      alt={formatMessage({ id: 'auth.signUpPicture' })}
      line={formatMessage({ id: 'auth.signUpPictureLine' })}
      className={styles.scene}
    />
  );

  return (
    <AuthLayout scene={scene}>
      {!isCreated && <SignUpForm onCreated={() => setCreated(true)} />}
      {/* A live region must exist before its text. */}
      <div role="status">{isCreated && <AccountCreated />}</div>
    </AuthLayout>
  );
}
