import { clsx } from 'clsx';
import { CalendarDays, Heart, MapPin, MessageCircle, Share2, Video } from 'lucide';
import { useId } from 'react';
import { FormattedMessage } from 'react-intl';

import { Text, useT } from '../../i18n/LanguageProvider';
import { getFullName, type Member } from '../../session/member';
import { useOpensAtLaunch } from '../../shell/useOpensAtLaunch';
import { Avatar } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { hideVisually } from '../../ui/hideVisually';
import { Icon } from '../../ui/Icon';
import { PictureFrame } from '../../ui/PictureFrame';
import { RelativeTime } from '../../ui/RelativeTime';
import type { Post } from './dashboard';
import * as styles from './Feed.module.css';

export function Feed({ posts }: { posts: readonly Post[] }) {
  const t = useT();
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="visually-hidden">
        {t('dashboard.posts')}
      </h2>
      <ol className={clsx('stack', styles.feed)}>
        {posts.map((post) => (
          <li key={post.id}>
            <PostCard post={post} />
          </li>
        ))}
      </ol>
      <p className={clsx('muted', styles.end)}>{t('dashboard.feedEnd')}</p>
    </section>
  );
}

function PostCard({ post }: { post: Post }) {
  const opensAtLaunch = useOpensAtLaunch();
  const authorId = useId();
  const { author, role, createdAt, content, image } = post;
  const actions = [
    { icon: Heart, label: 'dashboard.like', count: post.likes },
    { icon: MessageCircle, label: 'dashboard.comment', count: post.comments },
    { icon: Share2, label: 'dashboard.sharePost', count: post.shares },
  ] as const;
  return (
    <Card element="article" aria-labelledby={authorId} className={styles.post}>
      <div className={styles.row}>
        <Avatar name={author} />
        <div>
          <h3 id={authorId} className="label">
            {author}
          </h3>
          <p className="muted dotted">
            <span>{role}</span>
            <RelativeTime dateTime={createdAt} />
          </p>
        </div>
      </div>
      <p className={styles.content}>{content}</p>
      {image && (
        <PictureFrame
          files={image}
          alt={image.alt}
          sizes="(width >= 1280px) min(50vw, 42rem), (width >= 768px) 41rem, 84vw"
          className={styles.frame}
        />
      )}
      <ul className={clsx(styles.actions, styles.reactions)}>
        {actions.map(({ icon, label, count }) => (
          <li key={label}>
            <Button
              variant="ghost"
              className={styles.action}
              aria-describedby={authorId}
              onClick={opensAtLaunch}
            >
              <Icon icon={icon} size={18} />
              <span>
                <FormattedMessage
                  id={label}
                  values={{ count, hidden: hideVisually, word: (words) => <Text>{words}</Text> }}
                />
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const BUTTONS = [
  { label: 'dashboard.video', icon: Video },
  { label: 'dashboard.location', icon: MapPin },
  { label: 'dashboard.event', icon: CalendarDays },
] as const;

/** Render the field for a new post. It stays empty until posts can be stored, so that no text is lost. */
export function Composer({ member }: { member: Member }) {
  const t = useT();
  const opensAtLaunch = useOpensAtLaunch();
  const label = t('dashboard.share');
  return (
    <Card className={styles.composer}>
      <div className={styles.row}>
        <Avatar name={getFullName(member)} />
        <input
          value=""
          inputMode="none"
          className={styles.field}
          aria-label={label}
          placeholder={label}
          onClick={opensAtLaunch}
          onChange={opensAtLaunch}
        />
      </div>
      <div className={styles.actions}>
        {BUTTONS.map(({ label, icon }) => (
          <Button key={label} variant="ghost" className={styles.action} onClick={opensAtLaunch}>
            <Icon icon={icon} size={20} />
            <Text>{t(label)}</Text>
          </Button>
        ))}
      </div>
    </Card>
  );
}
