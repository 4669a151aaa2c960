import '@testing-library/jest-dom/vitest';

import { format } from 'node:util';

import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

import { provideBrowser } from './browser';
import { resetMediaQueries, provideMediaQueries } from './mediaQueries';
import { provideStyles } from './styles';
import { findTextNodesOfReact } from './texts';

provideBrowser();
provideMediaQueries();
provideStyles();

// Loading a chunk takes long on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

// jsdom does not have it. A test in which an error is reported fails, unless it stubs the function.
window.reportError = (error: unknown) => console.error('Reported:', error); // oxlint-disable-line no-console

/** React's warning about every `use` of a promise in a synchronous `act`, even of a resolved one. */
const SUSPENDED_WARNING = 'A component suspended inside an `act` scope, but the `act` call was not awaited.';

/** The console output since the last test. */
const consoleOutput: string[] = [];

beforeEach(() => {
  const record = (...args: unknown[]) => {
    const text = format(...args);
    if (!text.startsWith(SUSPENDED_WARNING)) consoleOutput.push(text);
  };
  vi.spyOn(console, 'error').mockImplementation(record);
  vi.spyOn(console, 'warn').mockImplementation(record);
});

afterEach(() => {
  vi.useRealTimers();
  window.scrollY = 0;
  const texts = findTextNodesOfReact();
  cleanup();
  resetMediaQueries();
  localStorage.clear();
  sessionStorage.clear();
  delete window.dataLayer;
  delete document.documentElement.dataset.member;
  document.cookie = 'django_language=; Path=/; Max-Age=0';
  window.history.replaceState(null, '', '/');

  // Nobody reads a warning in a passing test, so it fails.
  const output = consoleOutput.splice(0);
  if (output.length > 0) throw new Error(`Unexpected console output:\n${output.join('\n')}`);
  if (texts.length > 0)
    throw new Error(`Texts that a translator would take from React:\n${texts.join('\n')}`);
});

// Test files share a window (vitest.config.ts), so reset it and all modules.
afterAll(() => {
  const { documentElement: html, head, body } = document;
  for (const name of html.getAttributeNames()) html.removeAttribute(name);
  head.replaceChildren();
  body.replaceChildren();
  vi.resetModules();
});
