import { clsx } from 'clsx';
import { ArrowRight, Building2, Mail, MapPin } from 'lucide';

import type { MessageId } from '../../i18n/catalogues';
import { useT } from '../../i18n/LanguageProvider';
import { useSiteConfig } from '../../lib/SiteConfig';
import { Icon } from '../../ui/Icon';
import { IconText } from '../../ui/IconText';
import { Link } from '../../ui/Link';
import { ForgotPassword } from './ForgotPassword';
import * as styles from './Help.module.css';

interface Topic {
  title: MessageId;
  /** An answer, or what will be at this path from the launch on. */
  text: MessageId;
  /** What there is today; without it, who runs Sailing. */
  today?: { label: MessageId; to: string };
}

const TOPICS: Record<string, Topic> = {
  '/about': { title: 'notFound.aboutTitle', text: 'notFound.whatSailingIs' },
  '/contact': { title: 'notFound.contactTitle', text: 'notFound.contactText' },
  '/races': {
    title: 'notFound.races',
    text: 'notFound.racesText',
    today: { label: 'notFound.racesLink', to: '/events' },
  },
  '/network': {
    title: 'notFound.network',
    text: 'notFound.networkText',
    today: { label: 'notFound.networkLink', to: '/dashboard' },
  },
  '/saved': {
    title: 'notFound.saved',
    text: 'notFound.savedText',
    today: { label: 'notFound.savedLink', to: '/marketplace' },
  },
  '/settings': {
    title: 'notFound.settings',
    text: 'notFound.settingsText',
    today: { label: 'notFound.settingsLink', to: '/profile' },
  },
};

/**
 * The paths that the site links to, with which the not-found page helps. `helpPaths` of frontend/routes.json has the same,
 * for which the page is prerendered.
 */
export const HELP_PATHS = ['/forgot-password', ...Object.keys(TOPICS)];

/** The help at one of `HELP_PATHS`. */
export function Help({ path }: { path: string }) {
  const t = useT();
  const topic = TOPICS[path];
  if (!topic) return <ForgotPassword />;
  const { title, text, today } = topic;
  return (
    <section className={styles.help} data-surface="light">
      <h2 className="title">{t(title)}</h2>
      <p>{t(text)}</p>
      {today ? (
        <Link to={today.to} className={clsx('target', styles.link)}>
          <span>{t(today.label)}</span>
          <Icon icon={ArrowRight} size={20} />
        </Link>
      ) : (
        <Operator />
      )}
    </section>
  );
}

/** Who runs Sailing and how to reach them. */
function Operator() {
  const { operator } = useSiteConfig();
  return (
    <address className={styles.operator}>
      <IconText element="p" icon={Building2} size={20}>
        {operator.name}
      </IconText>
      <IconText element="p" icon={MapPin} size={20}>
        {operator.address}
      </IconText>
      <p className="icon-text">
        <Icon icon={Mail} size={20} />
        <a className={clsx('target', styles.link)} href={`mailto:${operator.email}`}>
          {operator.email}
        </a>
      </p>
    </address>
  );
}
