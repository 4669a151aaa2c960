import type { ReactNode } from 'react';

import { Text } from '../i18n/LanguageProvider';

/** Render a part of a message for screen readers only. */
export function hideVisually(text: ReactNode) {
  return (
    <span className="visually-hidden">
      <Text>{text}</Text>
    </span>
  );
}
