import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import type { Language } from './site';

/** Run Python with the project's models. Return what it prints. */
export function runInDjango(code: string): string {
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  return execFileSync('.venv/bin/python', ['manage.py', 'shell', '--verbosity', '0', '-c', code], options);
}

const CATALOGUES = ['sailing', 'newsletter']
  .map((app) => readFileSync(`${app}/locale/cs/LC_MESSAGES/django.po`, 'utf8'))
  .join('\n');

/** Return a text of a page of Django, of one line, in a language. */
export function translate(language: Language, text: string): string {
  if (language === 'en') return text;
  const [, after = ''] = CATALOGUES.split(`msgid "${text}"\nmsgstr "`);
  const [found] = after.split('"\n');
  if (!found) throw new Error(`The catalogues have no “${text}”`);
  return found;
}
