import { useEffect } from 'react';

import { useSiteConfig } from '../config/SiteConfig';
import { type Consent, storeConsent, useConsent } from './consent';
import { ConsentBanner } from './ConsentBanner';
import { startTag, stopTag } from './tag';

export interface PrivacyProps {
  /** The event of the button that opened the banner, which gets the focus back. */
  request: Event | undefined;
  onClose: () => void;
}

/** Show the consent banner when needed, and start or stop Google's tag by its answer. */
export default function Privacy({ request, onClose }: PrivacyProps) {
  const { gaMeasurementId } = useSiteConfig();
  const consent = useConsent();

  useEffect(() => {
    if (consent === 'granted') startTag(gaMeasurementId);
    else stopTag(gaMeasurementId);
  }, [consent, gaMeasurementId]);

  function answer(given: Consent) {
    storeConsent(given);
    onClose();
    if (request?.target instanceof HTMLElement) request.target.focus();
  }

  if (consent && !request) return null;
  return <ConsentBanner consent={consent} request={request} onAnswer={answer} />;
}
