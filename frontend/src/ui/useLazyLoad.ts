import { useState } from 'react';

import { useT } from '../i18n/LanguageProvider';
import type { LazyModule } from '../lib/lazy';
import { isChunkLoadError, type Need } from '../lib/loadChunk';
import { useToast } from './ToastProvider';

/**
 * Load a lazy component where it is rendered.
 *
 * What the visitor has asked for is `required`: a toast says when it cannot be loaded. A failed `optional` load is silent.
 */
export function useLazyLoad({ preload, isLoaded }: Pick<LazyModule<unknown>, 'preload' | 'isLoaded'>) {
  const t = useT();
  const { alert } = useToast();
  const [state, setState] = useState<'idle' | 'pending' | 'loaded'>('idle');

  /** Load it again if need be. Resolve to whether it is loaded. */
  async function load(need: Need): Promise<boolean> {
    const isRequired = need === 'required';
    if (isRequired) setState('pending');
    try {
      await preload(need);
      setState('loaded');
      return true;
    } catch (error) {
      const isOffline = isChunkLoadError(error);
      if (!isOffline) reportError(error);
      if (isRequired) {
        setState('idle');
        alert(t(isOffline ? 'failure.unreachable' : 'failure.text'));
      }
      return false;
    }
  }

  return { isLoaded: isLoaded(), isPending: state === 'pending', load };
}
