import { execFileSync } from 'node:child_process';

/** Run Python with the project's models. Return what it prints. */
export function runInDjango(code: string): string {
  const options = { encoding: 'utf8' } as const;
  return execFileSync('.venv/bin/python', ['manage.py', 'shell', '--verbosity', '0', '-c', code], options);
}
