import '@testing-library/jest-dom/vitest';

import { format } from 'node:util';

import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

import { provideAnimations } from './animations';
import { provideDialogs } from './dialog';
import { providePlayback } from './mediaElement';
import { forgetMedia, provideMediaQueries } from './mediaQueries';
import { providePopovers } from './popover';
import { provideScrolling } from './scrolling';

provideAnimations();
const takeDialogs = provideDialogs();
providePlayback();
provideMediaQueries();
const takePopovers = providePopovers();
provideScrolling();

// How long a test waits for what never comes; a busy machine takes its time to load a chunk.
configure({ asyncUtilTimeout: 10_000 });

/** What React says of each `use` of a promise in a plain `act`, of one that has been fulfilled too. */
const SUSPENDED = 'A component suspended inside an `act` scope, but the `act` call was not awaited.';

/** What was written to the console since the last test. */
const complaints: string[] = [];

beforeEach(() => {
  const complain = (...words: unknown[]) => {
    const said = format(...words);
    if (!said.startsWith(SUSPENDED)) complaints.push(said);
  };
  vi.spyOn(console, 'error').mockImplementation(complain);
  vi.spyOn(console, 'warn').mockImplementation(complain);
});

afterEach(() => {
  cleanup();
  forgetMedia();
  localStorage.clear();
  sessionStorage.clear();
  delete window.dataLayer;
  document.cookie = 'django_language=; Path=/; Max-Age=0';
  window.history.replaceState(null, '', '/');

  // A warning of React, Apollo or react-intl is a fault of ours: nobody would read it in a passing test.
  const said = complaints.splice(0);
  if (said.length > 0) throw new Error(`The console was written to:\n${said.join('\n')}`);
});

// The next file's tests may stand in the same window (vitest.config.ts): they find it empty, and modules as they begin.
afterAll(() => {
  takeDialogs();
  takePopovers();
  const { documentElement: html, head, body } = document;
  for (const name of html.getAttributeNames()) html.removeAttribute(name);
  head.replaceChildren();
  body.replaceChildren();
  vi.resetModules();
});
