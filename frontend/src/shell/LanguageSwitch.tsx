import { Globe } from 'lucide';
import type { MouseEvent } from 'react';

import { useLanguage } from '../language/LanguageProvider';
import type { Language } from '../language/languages';
import { Icon } from '../ui/Icon';
import { opensElsewhere } from '../ui/Link';
import * as styles from './LanguageSwitch.module.css';

/** Each language's own word for itself; who looks for it reads no other. */
const NAMES: Record<Language, string> = { en: 'English', cs: 'Čeština' };

/**
 * Offers the page in the other language.
 *
 * A plain link for who has no script: the server takes `?lang=`, keeps the choice and answers in it.
 */
export function LanguageSwitch() {
  const { language, switchLanguage } = useLanguage();
  const other = language === 'en' ? 'cs' : 'en';

  function switchInPlace(event: MouseEvent) {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    void switchLanguage(other);
  }

  return (
    <a className={styles.link} href={`?lang=${other}`} hrefLang={other} lang={other} onClick={switchInPlace}>
      <Icon of={Globe} size={18} />
      {NAMES[other]}
    </a>
  );
}
