import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { FormattedMessage, FormattedNumber } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { IconDisc } from '../../ui/Icon';
import { Picture } from '../../ui/Picture';
import { SectionHeading } from '../../ui/Section';
import { type Feature, FEATURES } from './features';
import * as styles from './FeatureStrip.module.css';
import { StripControls } from './StripControls';
import { useStrip } from './useStrip';

const LAST = FEATURES.length - 1;

/** The card that a key leads to. */
const KEY_TARGETS: Record<string, (index: number) => number> = {
  ArrowLeft: (index) => Math.max(index - 1, 0),
  ArrowRight: (index) => Math.min(index + 1, LAST),
  Home: () => 0,
  End: () => LAST,
};

/** Render the strip of feature cards (spec sections 2 and 4, Sailors card strip). */
export function FeatureStrip() {
  const t = useT();
  const section = useRef<HTMLElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  const { index, pinned, isHydrated, show } = useStrip({ section, strip }, FEATURES.length);
  const title = FEATURES[index]?.title;

  // The Content Security Policy allows no style attribute in prerendered pages.
  useEffect(() => section.current?.style.setProperty('--card', String(index)), [index]);

  function step(event: KeyboardEvent) {
    const target = KEY_TARGETS[event.key]?.(index) ?? index;
    // A key that leads to no other card is the browser's: End goes on to the end of the page.
    if (target === index || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(target);
  }

  return (
    <section
      ref={section}
      id="features"
      className={styles.section}
      aria-labelledby="features-title"
      tabIndex={-1}
      data-hydrated={isHydrated}
      data-pinned={pinned}
    >
      <div className={styles.stage}>
        <SectionHeading
          id="features-title"
          className={styles.header}
          eyebrow={t('landingSailorsBelow.eyebrow')}
          title={t('landingSailorsBelow.title')}
        />
        <div className={styles.cards}>
          <p className={styles.lead}>{t('landingSailorsBelow.lead')}</p>
          {/* One tab stop for all cards; the arrow keys step. */}
          {/* eslint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
              scrollable content must be operable by keyboard (WCAG 2.1.1) */}
          <div
            ref={strip}
            className={styles.strip}
            role="group"
            aria-roledescription={t('landingSailorsBelow.carousel')}
            aria-labelledby="features-title"
            tabIndex={0}
            onKeyDown={step}
          >
            {/* eslint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
            <ol className={styles.track}>
              {FEATURES.map((feature, position) => (
                <FeatureCard
                  key={feature.title}
                  feature={feature}
                  number={position + 1}
                  current={position === index}
                />
              ))}
            </ol>
          </div>
          <p className={styles.end}>{t('landingSailorsBelow.end')}</p>
        </div>
        <StripControls index={index} onShow={show} />
        <p className="visually-hidden" aria-live="polite">
          {title && (
            <FormattedMessage
              id="landingSailorsBelow.position"
              values={{ number: index + 1, count: FEATURES.length, title: t(title) }}
            />
          )}
        </p>
      </div>
    </section>
  );
}

interface FeatureCardProps {
  feature: Feature;
  /** From 1. */
  number: number;
  current: boolean;
}

function FeatureCard({ feature, number, current }: FeatureCardProps) {
  const t = useT();
  return (
    <li className={clsx(styles.card, current && styles.current)} data-surface="dark">
      <Picture
        files={feature.picture}
        alt={t(feature.alt)}
        sizes="(width >= 1024px) 56vw, 82vw"
        className={styles.picture}
        lazy
      />
      <p className={clsx('heading', styles.mark)} aria-hidden="true">
        <FormattedNumber value={number} minimumIntegerDigits={2} />
        <IconDisc icon={feature.icon} />
      </p>
      <h3 className={styles.title}>{t(feature.title)}</h3>
      <p className={styles.text}>{t(feature.text)}</p>
    </li>
  );
}
