import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { ArrowRight, BookOpen, Flag, Sailboat, Users } from 'lucide';

import { Text, useT } from '../../i18n/LanguageProvider';
import { useToday } from '../../features/calendar';
import { useEventsQuery } from '../../features/events/data/useEventsQuery';
import { DateTile } from '../../features/events/DateTile';
import { findUpcomingEvents, useEventFormats } from '../../features/events/event';
import { QueryBoundary } from '../../ui/QueryBoundary';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Card } from '../../ui/Card';
import { Icon } from '../../ui/Icon';
import { Link } from '../../ui/Link';
import type { Tag } from './dashboard';
import * as styles from './SideSections.module.css';

function SideSection({ title, children }: { title: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <Card element="section" aria-labelledby={headingId} className={styles.card}>
      <h2 id={headingId} className={styles.title}>
        {title}
      </h2>
      {children}
    </Card>
  );
}

const ACTIONS = [
  { label: 'dashboard.logTrip', icon: BookOpen },
  { label: 'dashboard.findCrew', icon: Users },
  { label: 'dashboard.offerBoat', icon: Sailboat },
  { label: 'dashboard.enterRace', icon: Flag },
] as const;

export function QuickActions() {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  return (
    <SideSection title={t('dashboard.quickActions')}>
      <ul className={styles.actions}>
        {ACTIONS.map(({ label, icon }) => (
          <li key={label}>
            <button type="button" className={styles.action} onClick={opensAtLaunch}>
              <Icon icon={icon} />
              <Text>{t(label)}</Text>
            </button>
          </li>
        ))}
      </ul>
    </SideSection>
  );
}

export function TrendingTags({ tags }: { tags: readonly Tag[] }) {
  const t = useT();
  return (
    <SideSection title={t('dashboard.trending')}>
      <ol className={clsx('stack', styles.tags)}>
        {tags.map(({ name, posts }) => (
          <li key={name} className={styles.tag}>
            <span>{name}</span>
            <span className="muted">{t('dashboard.postCount', { count: posts })}</span>
          </li>
        ))}
      </ol>
    </SideSection>
  );
}

const MAX_EVENTS = 3;

export function UpcomingEvents() {
  const t = useT();
  const format = useEventFormats();
  const query = useEventsQuery();
  const today = useToday();
  return (
    <SideSection title={t('events.upcoming')}>
      <QueryBoundary query={query}>
        {(events) => (
          <ol className={clsx('stack', styles.events)}>
            {findUpcomingEvents(events, today, MAX_EVENTS).map((event) => (
              <li key={event.id} className={styles.event}>
                <DateTile day={event.date} className={styles.day} />
                <div>
                  <h3>{event.title}</h3>
                  <p className="muted">{event.location}</p>
                </div>
                <p className={styles.price}>{format.price(event)}</p>
              </li>
            ))}
          </ol>
        )}
      </QueryBoundary>
      <Link to="/events" className={clsx('target', styles.all)}>
        <Text>{t('dashboard.allEvents')}</Text>
        <Icon icon={ArrowRight} size={18} />
      </Link>
    </SideSection>
  );
}
