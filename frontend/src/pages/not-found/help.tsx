import { clsx } from 'clsx';
import { ArrowRight, Building2, Mail, MapPin } from 'lucide';
import type { ReactNode } from 'react';
import { FormattedMessage } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { useSiteConfig } from '../../lib/SiteConfig';
import type { MessageId } from '../../i18n/catalogues';
import { Icon } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import { Link } from '../../ui/Link';
import { ForgotPassword } from './ForgotPassword';
import * as styles from './Help.module.css';

/**
 * What the not-found page adds for the paths that the site links to. `helpPaths` of frontend/routes.json has the same
 * paths, for which the page is prerendered.
 */
export const HELP_BY_PATH: Record<string, ReactNode> = {
  '/forgot-password': <ForgotPassword />,
  '/about': <Operator title="notFound.aboutTitle" text="notFound.whatSailingIs" />,
  '/contact': <Operator title="notFound.contactTitle" text="notFound.contactText" />,
  '/races': (
    <OpensAtLaunch title="notFound.races" text="notFound.racesText" link="notFound.racesLink" to="/events" />
  ),
  '/network': (
    <OpensAtLaunch
      title="notFound.network"
      text="notFound.networkText"
      link="notFound.networkLink"
      to="/dashboard"
    />
  ),
  '/saved': (
    <OpensAtLaunch
      title="notFound.saved"
      text="notFound.savedText"
      link="notFound.savedLink"
      to="/marketplace"
    />
  ),
  '/settings': (
    <OpensAtLaunch
      title="notFound.settings"
      text="notFound.settingsText"
      link="notFound.settingsLink"
      to="/profile"
    />
  ),
};

interface HelpProps {
  title: MessageId;
  text: MessageId;
  children: ReactNode;
}

function Help({ title, text, children }: HelpProps) {
  const t = useT();
  return (
    <section className={styles.help}>
      <h2 className="title">{t(title)}</h2>
      <p>{t(text)}</p>
      {children}
    </section>
  );
}

/** A text, and who runs Sailing and how to reach them. */
function Operator({ title, text }: { title: MessageId; text: MessageId }) {
  const { operator } = useSiteConfig();
  return (
    <Help title={title} text={text}>
      <address className={styles.operator}>
        <IconText element="p" icon={Building2} size={20}>
          {operator.name}
        </IconText>
        <IconText element="p" icon={MapPin} size={20}>
          {operator.address}
        </IconText>
        <p>
          <Icon icon={Mail} size={20} />
          <a className={clsx('target', styles.link)} href={`mailto:${operator.email}`}>
            {operator.email}
          </a>
        </p>
      </address>
    </Help>
  );
}

interface OpensAtLaunchProps {
  title: MessageId;
  /** What will be at this path. */
  text: MessageId;
  /** The label of the link to what there is today. */
  link: MessageId;
  to: string;
}

/** What will be at a path from the launch on, and what there is today. */
function OpensAtLaunch({ title, text, link, to }: OpensAtLaunchProps) {
  return (
    <Help title={title} text={text}>
      <Link to={to} className={clsx('target', styles.link)}>
        <FormattedMessage id={link} />
        <Icon icon={ArrowRight} size={20} />
      </Link>
    </Help>
  );
}
