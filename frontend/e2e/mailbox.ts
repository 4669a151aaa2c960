import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Page } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';

import { expect, findMarkupErrors } from './site';

/** Where scripts/e2e-mail-server stores mails. */
const MAILS = '.cache/e2e/mails/new';

/** The paths of the links in mails. */
const PATHS = {
  confirm: 'newsletter/confirm',
  manage: 'newsletter/manage',
  verify: 'account/verify',
  reset: 'account/reset',
  changeEmail: 'account/email',
};

/** The mails that were read before, by the name of their file. */
const known = new Map<string, Promise<Email>>();

/** Return all mails that the server has accepted, the oldest first. */
async function readMails(): Promise<Email[]> {
  const files = existsSync(MAILS) ? readdirSync(MAILS).sort() : [];
  return Promise.all(
    files.map((name) => {
      const mail = known.get(name) ?? PostalMime.parse(readFileSync(join(MAILS, name)));
      known.set(name, mail);
      return mail;
    }),
  );
}

/** Return all mails that an address has received, the oldest first. */
export async function mailsTo(address: string): Promise<Email[]> {
  return (await readMails()).filter(({ to }) => to?.some((recipient) => recipient.address === address));
}

async function waitForMail(what: string, find: () => Promise<Email | undefined>): Promise<Email> {
  await expect.poll(find, { message: what, intervals: [100] }).toBeDefined();
  const mail = await find();
  if (!mail) throw new Error(`No mail: ${what}`);
  return mail;
}

/** Wait for a mail to an address whose subject contains a text. */
export function mailAbout(text: string, address: string): Promise<Email> {
  return waitForMail(text, async () =>
    (await mailsTo(address)).find(({ subject }) => subject?.includes(text)),
  );
}

/** Wait for the only mail to an address. */
export function mailTo(address: string): Promise<Email> {
  return waitForMail(address, async () => {
    const mails = await mailsTo(address);
    return mails.length === 1 ? mails[0] : undefined;
  });
}

/** Show a received mail as a mail program does, from another origin. Expect valid HTML and its pictures. */
export async function readMail(page: Page, { html = '' }: Email, alternativeTexts: string[]): Promise<void> {
  expect(await findMarkupErrors(html)).toEqual([]);
  const mailProgram = createServer((_request, response) => response.end(html)).listen(0, '127.0.0.1');
  await once(mailProgram, 'listening');
  await page.goto(`http://localhost:${(mailProgram.address() as AddressInfo).port}/`);
  for (const [colorScheme, background] of [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(10, 30, 56)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('.mail-card')).toHaveCSS('background-color', background);
    for (const text of alternativeTexts)
      await expect(page.getByAltText(text)).not.toHaveJSProperty('naturalWidth', 0);
  }
  await page.emulateMedia({ colorScheme: null });
  mailProgram.closeAllConnections();
  mailProgram.close();
}

/** Return the link of a mail with this purpose. */
export function linkIn(mail: Email, purpose: keyof typeof PATHS): string {
  const link = new RegExp(`https?://\\S*/${PATHS[purpose]}/\\S+`).exec(mail.text ?? '');
  if (!link) throw new Error(`The mail has no link to ${purpose}`);
  return link[0];
}

/** Wait for a link with this purpose to an address. */
export async function linkTo(address: string, purpose: keyof typeof PATHS): Promise<string> {
  const find = async () => (await mailsTo(address)).find(({ text }) => text?.includes(`/${PATHS[purpose]}/`));
  return linkIn(await waitForMail(purpose, find), purpose);
}
