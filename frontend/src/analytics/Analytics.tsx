import { type ReactNode, Suspense, useEffect } from 'react';

import { LoadedPart } from '../later/LoadedPart';
import { definePart } from '../later/part';
import { useSiteConfig } from '../site/SiteConfig';
import { useIsLive } from '../ui/useIsLive';
import { Dispensable } from './Dispensable';
import { trackNavigation } from './navigation';

/** What asks for consent, and measures with it: of no use to a site without a measurement id. */
const privacy = definePart(async () => {
  const module = await import(/* webpackChunkName: "part-privacy" */ './Privacy');
  return module.Privacy;
}, 'privacy');

/** Counts what visitors do in everything inside it, if the site has a measurement id and the visitor agrees. */
export function Analytics({ children }: { children: ReactNode }) {
  const isMeasured = useSiteConfig().gaMeasurementId !== '';
  const isLive = useIsLive();

  useEffect(() => {
    // On the way down: further up the router has changed the address.
    document.addEventListener('click', trackNavigation, { capture: true });
    return () => document.removeEventListener('click', trackNavigation, { capture: true });
  }, []);

  return (
    <>
      {/* Comes first, so that a keyboard meets it before the page. */}
      {isMeasured && isLive && (
        <Dispensable>
          <Suspense>
            <LoadedPart part={privacy} />
          </Suspense>
        </Dispensable>
      )}
      {children}
    </>
  );
}
