import { execFileSync } from 'node:child_process';

/** Lets four days pass for the links in the mails to a member: they are expired, and a new mail may go out. */
export function ageLinksOf(address: string, baseURL: string | undefined): void {
  const { port } = new URL(baseURL ?? '');
  const code = `
from datetime import timedelta
from django.db.models import F
from accounts.models import AccountLink
days = timedelta(days=4)
AccountLink.objects.filter(email=${JSON.stringify(address)}).update(
    created_at=F("created_at") - days, expires_at=F("expires_at") - days
)`;
  // The database of scripts/e2e-server.
  const DATABASE_URL = process.env.DATABASE_URL ?? `sqlite:///${process.cwd()}/.cache/e2e/${port}.sqlite3`;
  execFileSync('.venv/bin/python', ['manage.py', 'shell', '--verbosity', '0', '-c', code], {
    env: { ...process.env, DATABASE_URL },
  });
}
