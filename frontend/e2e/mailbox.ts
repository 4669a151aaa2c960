import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import PostalMime, { type Email } from 'postal-mime';

import { expect } from './site';

/** Where scripts/e2e-mail-server puts what the site sends. */
const MAILS = '.cache/e2e/mails/new';

/** All mails that an address has got so far. */
export async function mailsTo(address: string): Promise<Email[]> {
  const files = existsSync(MAILS) ? readdirSync(MAILS) : [];
  const mails = await Promise.all(files.map((name) => PostalMime.parse(readFileSync(join(MAILS, name)))));
  return mails.filter((mail) => mail.to?.some((recipient) => recipient.address === address));
}

/** The only mail to an address, as soon as it has come. */
export async function mailTo(address: string): Promise<Email> {
  await expect.poll(async () => (await mailsTo(address)).length).toBe(1);
  const [mail] = await mailsTo(address);
  if (!mail) throw new Error(`No mail to ${address}`);
  return mail;
}

/** Where the links in mails lead. */
const PATHS = {
  confirm: 'newsletter/confirm',
  unsubscribe: 'newsletter/unsubscribe',
  verify: 'account/verify',
  reset: 'account/reset',
};

/** The address of a mail's link that does this. */
export function linkIn(mail: Email, action: keyof typeof PATHS): string {
  const link = new RegExp(`https?://\\S*/${PATHS[action]}/\\S+`).exec(mail.text ?? '');
  if (!link) throw new Error(`The mail has no link to ${action}`);
  return link[0];
}
