import { FormattedMessage } from 'react-intl';

import * as styles from './LegalDialog.module.css';
import { OperatorCard, useLegalValues } from './useLegalValues';

/** The sections after the first, each with its paragraphs. */
const SECTIONS = [
  { title: 'legal.membership', texts: ['legal.membershipText', 'legal.membershipEnd'] },
  { title: 'legal.prelaunch', texts: ['legal.prelaunchText', 'legal.newsletterTerms'] },
  { title: 'legal.conduct', texts: ['legal.conductText'] },
  { title: 'legal.content', texts: ['legal.contentText'] },
  { title: 'legal.liability', texts: ['legal.liabilityText'] },
  { title: 'legal.law', texts: ['legal.lawText'] },
] as const;

/** The terms of use before the launch. */
export function Terms() {
  const values = useLegalValues();
  return (
    <>
      <p className={styles.lead}>
        <FormattedMessage id="legal.termsLead" />
      </p>
      <section>
        <h3>
          <FormattedMessage id="legal.partner" />
        </h3>
        <OperatorCard />
      </section>
      {SECTIONS.map(({ title, texts }) => (
        <section key={title}>
          <h3>
            <FormattedMessage id={title} />
          </h3>
          {texts.map((id) => (
            <p key={id}>
              <FormattedMessage id={id} values={values} />
            </p>
          ))}
        </section>
      ))}
    </>
  );
}
