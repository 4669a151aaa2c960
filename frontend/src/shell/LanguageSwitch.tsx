import { clsx } from 'clsx';
import { Globe } from 'lucide';
import type { MouseEvent } from 'react';

import { switchLanguage, useLanguage, useT } from '../i18n/LanguageProvider';
import type { Language } from '../i18n/languages';
import { useSearch } from '../lib/router/navigation';
import { useToast } from '../ui/ToastProvider';
import { Icon } from '../ui/Icon';
import { opensElsewhere } from '../ui/Link';
import * as styles from './LanguageSwitch.module.css';

/** The name of each language in itself. */
const NAMES: Record<Language, string> = { en: 'English', cs: 'Čeština' };

/**
 * Switch the page to the other language.
 *
 * Without JavaScript it is a link: the server stores the choice of `?lang=`.
 */
export function LanguageSwitch() {
  const t = useT();
  const language = useLanguage();
  const search = useSearch();
  const { alert } = useToast();
  const other = language === 'en' ? 'cs' : 'en';

  function switchInPlace(event: MouseEvent) {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    switchLanguage(other).catch(() => alert(t('failure.unreachable')));
  }

  return (
    <a
      className={clsx('target', styles.link)}
      href={getLanguageLink(other, search)}
      hrefLang={other}
      lang={other}
      onClick={switchInPlace}
    >
      <Icon icon={Globe} size={18} />
      <span>{NAMES[other]}</span>
    </a>
  );
}

/** Return the link to this page in a language, with the rest of its query. */
function getLanguageLink(language: Language, search: string): string {
  const query = new URLSearchParams(search);
  query.set('lang', language);
  return `?${query.toString()}`;
}
