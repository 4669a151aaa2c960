import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { Form } from '../../forms/Form';
import { useEmailForm } from '../../forms/useEmailForm';
import { useSiteConfig } from '../../lib/SiteConfig';
import { loadChunk } from '../../lib/loadChunk';
import { Button } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { TextField } from '../../ui/Field';
import * as styles from './Help.module.css';

/** The form that asks for a link to choose a new password. The answer is the same for every address. */
export function ForgotPassword() {
  const t = useT();
  const { operator } = useSiteConfig();
  const title = useRef<HTMLHeadingElement>(null);
  const [sentTo, setSentTo] = useState<string>();

  // The focused button has been removed.
  useEffect(() => {
    if (sentTo !== undefined) title.current?.focus();
  }, [sentTo]);

  const { form, field } = useEmailForm({
    load: loadRequest,
    send: async (email) => {
      const { requestReset } = await loadChunk(loadRequest, 'required');
      const error = await requestReset(email);
      if (!error) setSentTo(email);
      return error;
    },
  });

  return (
    <section className={styles.help} data-surface="light">
      <h2 ref={title} className="title" tabIndex={-1}>
        {t(sentTo === undefined ? 'notFound.resetTitle' : 'notFound.resetSentTitle')}
      </h2>
      {/* A live region must exist before its text. */}
      <p role="status">
        {sentTo !== undefined && (
          <FormattedMessage id="notFound.resetSent" values={{ email: <strong>{sentTo}</strong> }} />
        )}
      </p>
      {sentTo === undefined ? (
        <>
          <p className="needs-script">{t('notFound.resetText')}</p>
          <noscript>
            <p>
              <FormattedMessage
                id="notFound.resetNoScript"
                values={{ email: <a href={`mailto:${operator.email}`}>{operator.email}</a> }}
              />
            </p>
          </noscript>
          <Form
            form={form}
            className="needs-script"
            actions={
              <Button
                type="submit"
                data-track="send_reset_link"
                pendingLabel={form.pending && t('notFound.resetSending')}
              >
                {t('notFound.resetSend')}
              </Button>
            }
          >
            <TextField {...field} label={t('notFound.email')} autoComplete="username" />
          </Form>
        </>
      ) : (
        <Link to="/signin" className={clsx('target', styles.link)}>
          {t('navigation.signIn')}
        </Link>
      )}
    </section>
  );
}

function loadRequest() {
  return import(/* webpackChunkName: "request-reset" */ './requestReset');
}
