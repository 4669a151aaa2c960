import { Globe } from 'lucide';
import type { MouseEvent } from 'react';
import { useIntl } from 'react-intl';
import { useLocation } from 'react-router-dom';

import { useLanguage } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';
import { useToast } from '../toast/ToastProvider';
import { Icon } from '../ui/Icon';
import { opensElsewhere } from '../ui/Link';
import { useIsLive } from '../ui/useIsLive';
import * as styles from './LanguageSwitch.module.css';

/** Each language's own word for itself; who looks for it reads no other. */
const NAMES: Record<Language, string> = { en: 'English', cs: 'Čeština' };

/**
 * Offers the page in the other language.
 *
 * A plain link for who has no script: the server takes `?lang=`, keeps the choice and answers in it.
 */
export function LanguageSwitch() {
  const { formatMessage } = useIntl();
  const { language, switchLanguage } = useLanguage();
  const { search } = useLocation();
  const { alert } = useToast();
  const isLive = useIsLive();
  const other = language === 'en' ? 'cs' : 'en';

  function switchInPlace(event: MouseEvent) {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    switchLanguage(other).catch(() => alert(formatMessage({ id: 'failure.language' })));
  }

  // The page was rendered at build time for a query that may be another. Hydration leaves attributes as they stand; the
  // render after it, with another value, does not.
  const isRenderedHere = isLive || typeof window === 'undefined';
  return (
    <a
      className={styles.link}
      href={addressIn(other, isRenderedHere ? search : '')}
      hrefLang={other}
      lang={other}
      onClick={switchInPlace}
      suppressHydrationWarning
    >
      <Icon of={Globe} size={18} />
      {NAMES[other]}
    </a>
  );
}

/** The address of the same page in a language, with the rest of its query. */
function addressIn(language: Language, search: string): string {
  const query = new URLSearchParams(search);
  query.set('lang', language);
  return `?${query.toString()}`;
}
