import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';

import { trackButton } from '../../consent/track';
import { Form } from '../../forms/Form';
import { useEmailForm } from '../../forms/useEmailForm';
import { useSiteConfig } from '../../lib/SiteConfig';
import { loadChunk } from '../../lib/loadChunk';
import { Button } from '../../ui/Button';
import { Link } from '../../ui/Link';
import { TextField } from '../../ui/Field';
import * as styles from './ForgotPassword.module.css';

/** The form that asks for a link to choose a new password. The answer is the same for every address. */
export function ForgotPassword() {
  const { formatMessage } = useIntl();
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
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        <FormattedMessage id={sentTo === undefined ? 'notFound.resetTitle' : 'notFound.resetSentTitle'} />
      </h2>
      {/* A live region must exist before its text. */}
      <p role="status" className={styles.text}>
        {sentTo !== undefined && (
          <FormattedMessage id="notFound.resetSent" values={{ email: <strong>{sentTo}</strong> }} />
        )}
      </p>
      {sentTo === undefined ? (
        <>
          <p className="needs-script">
            <FormattedMessage id="notFound.resetText" />
          </p>
          <noscript>
            <p className={styles.text}>
              <FormattedMessage
                id="notFound.resetNoScript"
                values={{ email: <a href={`mailto:${operator.email}`}>{operator.email}</a> }}
              />
            </p>
          </noscript>
          <Form
            form={form}
            className={clsx(styles.form, 'needs-script')}
            actions={
              <Button
                type="submit"
                onClick={() => trackButton('send_reset_link', 'not-found')}
                pendingLabel={form.pending && formatMessage({ id: 'notFound.resetSending' })}
              >
                <FormattedMessage id="notFound.resetSend" />
              </Button>
            }
          >
            <TextField {...field} label={formatMessage({ id: 'notFound.email' })} autoComplete="username" />
          </Form>
        </>
      ) : (
        <Link to="/signin" className={styles.link}>
          <FormattedMessage id="navigation.signIn" />
        </Link>
      )}
    </section>
  );
}

function loadRequest() {
  return import(/* webpackChunkName: "request-reset" */ './requestReset');
}
