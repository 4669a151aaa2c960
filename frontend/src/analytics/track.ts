import type { AnalyticsEvents } from './events';
import { gtag } from './gtag';

/**
 * Says that something happened (spec section 1). It leaves the browser only if the visitor has agreed to that
 * before (see docs/analytics.md).
 */
export function track<Name extends keyof AnalyticsEvents>(name: Name, params: AnalyticsEvents[Name]): void {
  gtag('event', name, params);
}
