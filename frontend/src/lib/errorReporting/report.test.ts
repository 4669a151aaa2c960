import { waitFor } from '@testing-library/react';
import { MissingTranslationError } from 'react-intl';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { watchForErrors } from './watch';

const DSN = 'https://key@sentry.example/42';
const FILE = `${window.location.origin}/static/app/main.0123456789abcdef.js`;

const ALLOWED = [
  'environment',
  'event_id',
  'exception',
  'level',
  'platform',
  'release',
  'sdk',
  'tags',
  'timestamp',
];

/** The requests that have been sent. */
let sent: { address: string; text: string }[];

/** Return the Sentry events in the requests. */
function events() {
  return sent.map(({ text }) => JSON.parse(text.split('\n')[2] ?? '') as Record<string, unknown>);
}

function failing(error: Error, file = FILE): Error {
  error.stack = `${error.name}: ${error.message}\n    at sail (${file}?jana#fast:1:234)`;
  return error;
}

const uncaught = (error: unknown) => window.dispatchEvent(new ErrorEvent('error', { error }));
const unhandled = (reason: unknown) =>
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));

beforeEach(() => {
  vi.stubGlobal('__webpack_hash__', '0123456789abcdef');
  sent = [];
  vi.stubGlobal('fetch', (address: string, { body }: { body: string | Uint8Array<ArrayBuffer> }) => {
    sent.push({ address, text: typeof body === 'string' ? body : new TextDecoder().decode(body) });
    return Promise.resolve(new Response('{}'));
  });
  // Watch for errors, as a newly loaded page does, until the end of the test.
  vi.resetModules();
  const listen = vi.spyOn(window, 'addEventListener');
  watchForErrors(DSN);
  const listeners = listen.mock.calls;
  listen.mockRestore();
  onTestFinished(() => {
    for (const [type, listener] of listeners) window.removeEventListener(type, listener);
  });
});

test('an uncaught error is reported with its location', async () => {
  document.documentElement.dataset.language = 'cs';
  uncaught(failing(new TypeError('boat is undefined')));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.address).toMatch(/^https:\/\/sentry\.example\/api\/42\/envelope\//);
  const stacktrace = { frames: [{ filename: FILE, function: 'sail' }] };
  expect(events()[0]).toMatchObject({
    level: 'error',
    release: '0123456789abcdef',
    tags: { language: 'cs' },
    exception: { values: [{ type: 'TypeError', value: 'boat is undefined', stacktrace }] },
  });
  delete document.documentElement.dataset.language;
});

test('a report contains no personal data', async () => {
  window.history.replaceState(null, '', '/jana-novakova?q=jana#jana');
  document.cookie = 'name=jana; Path=/';
  localStorage.setItem('token', 'jana');
  document.title = 'jana';
  uncaught(failing(new Error('"jana" is no JSON; jana@example.org; eyJqYW5h.eyJzdWIi.c2ln')));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.text).not.toMatch(/jana|eyJ/);
  expect(events()[0]).toMatchObject({ sdk: { settings: { infer_ip: 'never' } } });
  expect(ALLOWED).toEqual(expect.arrayContaining(Object.keys(events()[0] ?? {})));
  document.cookie = 'name=; Path=/; Max-Age=0';
  document.title = '';
});

test.each<[Error, string]>([
  [
    new Error('Minified React error #418; visit https://react.dev/errors/418?args[]=jana'),
    'Minified React error #418',
  ],
  [
    new MissingTranslationError({ id: 'academy.title' }, 'en'),
    '[@formatjs/intl Error MISSING_TRANSLATION] Missing message: "academy.title"',
  ],
])('of %o, the report contains the number or the id', async (error, value) => {
  uncaught(failing(error));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(events()[0]).toMatchObject({ exception: { values: [{ value }] } });
});

test('a page reports at most five errors', async () => {
  for (let number = 0; number < 20; number++) uncaught(failing(new TypeError(String(number))));
  await waitFor(() => expect(sent).toHaveLength(5));
});

test.each([
  ['a script of another site', failing(new TypeError('x'), 'https://other.example/script.js')],
  ['an extension', failing(new TypeError('x'), 'chrome-extension://abc/content.js')],
  ['a value that is not an error', 'cancelled'],
  ['an error hidden by the same-origin policy', null],
])('%s is not reported', async (_name, error) => {
  uncaught(error);
  unhandled(error);
  uncaught(failing(new TypeError('ours')));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.text).toContain('ours');
});

test('without a DSN nothing is watched', () => {
  const listen = vi.spyOn(window, 'addEventListener');
  watchForErrors('');
  expect(listen).not.toHaveBeenCalled();
});
