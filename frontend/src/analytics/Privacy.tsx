import { useEffect } from 'react';

import { useSiteConfig } from '../config/SiteConfig';
import { type Consent, keepConsent, useConsent } from './consent';
import { ConsentBanner } from './ConsentBanner';
import { setPrivacyRequest, usePrivacyRequest } from './privacyRequest';
import { startTag, stopTag } from './tag';

/** Asks the visitor, until there is an answer and whenever the footer's button is pressed, and does what it says. */
export function Privacy() {
  const { gaMeasurementId } = useSiteConfig();
  const consent = useConsent();
  const request = usePrivacyRequest();

  useEffect(() => {
    if (consent === 'granted') startTag(gaMeasurementId);
    else stopTag(gaMeasurementId);
  }, [consent, gaMeasurementId]);

  function answer(given: Consent) {
    keepConsent(given);
    setPrivacyRequest(undefined);
    request?.opener.focus();
  }

  if (consent && !request) return null;
  return <ConsentBanner consent={consent} request={request} onAnswer={answer} />;
}
