import { useEffect } from 'react';

import { useSiteConfig } from '../config/SiteConfig';
import { type Consent, storeConsent, useConsent } from './consent';
import { ConsentBanner } from './ConsentBanner';
import { setPrivacyRequest, usePrivacyRequest } from './privacyRequest';
import { startTag, stopTag } from './tag';

/** Show the consent banner when needed, and start or stop Google's tag by its answer. */
export function Privacy() {
  const { gaMeasurementId } = useSiteConfig();
  const consent = useConsent();
  const request = usePrivacyRequest();

  useEffect(() => {
    if (consent === 'granted') startTag(gaMeasurementId);
    else stopTag(gaMeasurementId);
  }, [consent, gaMeasurementId]);

  function answer(given: Consent) {
    storeConsent(given);
    setPrivacyRequest(undefined);
    request?.opener.focus();
  }

  if (consent && !request) return null;
  return <ConsentBanner consent={consent} request={request} onAnswer={answer} />;
}
