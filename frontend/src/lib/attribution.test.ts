import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';

import { rememberAttribution, useAttribution, useInvitation } from './attribution';

const getAttribution = () => renderHook(useAttribution).result.current;

const SITE = 'https://sailing.example';
const visit = (address: string, referrer: string) =>
  rememberAttribution(new URL(address, SITE) as unknown as Location, referrer);

const TAGS = '?utm_source=mast&utm_medium=poster&utm_campaign=spring%20sale';
const READ = { utmSource: 'mast', utmMedium: 'poster', utmCampaign: 'spring sale' };

test.each([
  ['the tags of the address', `/landing${TAGS}`, '', READ],
  ['other parameters', '/landing?utm_term=boat&gclid=1&utm_source=', '', {}],
  ['the host of another site', '/', 'https://forum.example/thread?user=7#9', { referrer: 'forum.example' }],
  ['an app', '/', 'android-app://com.google.android.gm/', { referrer: 'com.google.android.gm' }],
  ['both', `/${TAGS}`, 'https://forum.example/', { ...READ, referrer: 'forum.example' }],
  ['the page before, loaded in full', '/newsletter?source=landing-sailors', `${SITE}/landing${TAGS}`, READ],
  ['what is no address', '/', 'com.example.app', {}],
  ['newer tags', '/?utm_source=mail', `${SITE}/${TAGS}`, { ...READ, utmSource: 'mail' }],
])('knows %s', (_what, address, referrer, expected) => {
  visit(address, referrer);
  expect(getAttribution()).toEqual(expected);
});

const CODE = '0123456789abcdef0123456789abcdef';

test.each([
  ['the code of the address', `/newsletter?invitation=${CODE}`, '', CODE],
  ['that of the page before, loaded in full', '/newsletter', `${SITE}/?invitation=${CODE}`, CODE],
  ['none of another site', '/newsletter', `https://forum.example/?invitation=${CODE}`, undefined],
])('knows of an invitation %s', (_what, address, referrer, expected) => {
  visit(address, referrer);
  expect(renderHook(useInvitation).result.current).toBe(expected);
  expect(getAttribution()).not.toHaveProperty('invitation');
});

test('stores nothing on the device', () => {
  visit(`/landing${TAGS}&invitation=${CODE}`, 'https://forum.example/');
  expect([localStorage.length, sessionStorage.length, document.cookie]).toEqual([0, 0, '']);
});
