import { clsx } from 'clsx';
import { ArrowLeft, ArrowRight, Sailboat } from 'lucide';
import { type CSSProperties, type KeyboardEvent, useRef } from 'react';
import { FormattedMessage, FormattedNumber } from 'react-intl';

import { useT } from '../../i18n/LanguageProvider';
import { useHydrated } from '../../lib/useHydrated';
import { Icon, IconDisc } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Picture } from '../../ui/Picture';
import { SectionHeading } from '../../ui/Section';
import { FEATURES } from './features';
import * as styles from './FeatureStrip.module.css';
import { LAST } from './strip';
import { useStrip } from './useStrip';

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
  const { index, isPinnable, isPinned, show } = useStrip(section, strip);
  const isHydrated = useHydrated();
  const title = FEATURES[index]?.title;

  /** Properties of the style sheet. The Content Security Policy allows no style attribute in prerendered pages. */
  const getStyle = (properties: Record<string, number>) =>
    isHydrated ? (properties as CSSProperties) : undefined;

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
      style={getStyle({ '--card': index, '--last': LAST })}
      aria-labelledby="features-title"
      tabIndex={-1}
      data-hydrated={isHydrated}
      data-pinned={isPinned}
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
          {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions --
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
            {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
            <ol className={styles.track}>
              {FEATURES.map((feature, position) => (
                <li
                  key={feature.title}
                  className={clsx(styles.card, position === index && styles.current)}
                  style={getStyle({ '--index': position })}
                  data-surface="dark"
                >
                  {/* It covers the card, so it is drawn wider than the card. */}
                  <Picture
                    files={feature.picture}
                    alt={t(feature.alt)}
                    sizes="(width >= 1024px) 56vw, max(40rem, 66vw)"
                    className={styles.picture}
                    lazy
                  />
                  <p className={clsx('heading', styles.mark)} aria-hidden="true">
                    <FormattedNumber value={position + 1} minimumIntegerDigits={2} />
                    <IconDisc icon={feature.icon} />
                  </p>
                  <h3 className={styles.title}>{t(feature.title)}</h3>
                  <p className={styles.text}>{t(feature.text)}</p>
                </li>
              ))}
            </ol>
          </div>
          {isPinnable && <p className={styles.end}>{t('landingSailorsBelow.end')}</p>}
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

/** A dot per card, with a boat at the current one, between two step buttons. */
function StripControls({ index, onShow }: { index: number; onShow: (index: number) => void }) {
  const t = useT();
  return (
    <div className={styles.controls}>
      <IconButton
        label={t('landingSailorsBelow.previous')}
        icon={ArrowLeft}
        isOff={index === 0}
        onClick={() => onShow(index - 1)}
        className={styles.step}
      />
      <div className={styles.course}>
        <span className={styles.boat} aria-hidden="true">
          <Icon icon={Sailboat} size={22} />
        </span>
        <ol className={styles.dots}>
          {FEATURES.map(({ title }, number) => (
            <li key={title}>
              <button
                type="button"
                className={styles.dot}
                aria-label={t(title)}
                aria-current={number === index ? 'true' : undefined}
                onClick={() => onShow(number)}
              />
            </li>
          ))}
        </ol>
      </div>
      <p className="label second" aria-hidden="true">
        <strong>
          <FormattedNumber value={index + 1} minimumIntegerDigits={2} />
        </strong>
        <span className={styles.total}>
          <FormattedNumber value={FEATURES.length} minimumIntegerDigits={2} />
        </span>
      </p>
      <IconButton
        label={t('landingSailorsBelow.next')}
        icon={ArrowRight}
        isOff={index === LAST}
        onClick={() => onShow(index + 1)}
        className={styles.step}
      />
    </div>
  );
}
