import { useState } from 'react';
import { useIntl } from 'react-intl';

import { useLanguage } from '../i18n/LanguageProvider';
import type { LazyComponent } from '../lib/lazyWithMessages';
import { isChunkLoadError, type Need } from '../lib/loadChunk';
import { useToast } from './ToastProvider';

/**
 * Load a lazy component where it is rendered.
 *
 * What the visitor has asked for is `required`: a toast says when it cannot be loaded. A failed `optional` load is silent.
 */
export function useLazyLoad({ preload, isLoaded }: Pick<LazyComponent, 'preload' | 'isLoaded'>) {
  const { formatMessage } = useIntl();
  const { language } = useLanguage();
  const { alert } = useToast();
  const [state, setState] = useState<'idle' | 'pending' | 'loaded'>('idle');

  /** Load it again if need be. Resolve to whether it is loaded. */
  async function load(need: Need): Promise<boolean> {
    const isRequired = need === 'required';
    if (isRequired) setState('pending');
    try {
      await preload(language, need);
      setState('loaded');
      return true;
    } catch (error) {
      const isOffline = isChunkLoadError(error);
      if (!isOffline) reportError(error);
      if (isRequired) {
        setState('idle');
        alert(formatMessage({ id: isOffline ? 'failure.unreachable' : 'failure.text' }));
      }
      return false;
    }
  }

  // A part that is shown stays mounted while a change of language loads its messages.
  return { isLoaded: state === 'loaded' || isLoaded(language), isPending: state === 'pending', load };
}
