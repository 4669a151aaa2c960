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

/** For `expect.poll`, which by default looks once a second after a while. */
const OFTEN = { intervals: [100] };

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

const isTo = (mail: Email, address: string) => mail.to?.some((recipient) => recipient.address === address);

/** Return all mails that an address has received, the oldest first. */
export async function mailsTo(address: string): Promise<Email[]> {
  return (await readMails()).filter((mail) => isTo(mail, address));
}

/** Return all mails whose subject contains a text. */
export async function mailsAbout(text: string): Promise<Email[]> {
  return (await readMails()).filter(({ subject }) => subject?.includes(text));
}

/** Wait for a mail to an address whose subject contains a text. */
export async function mailAbout(text: string, address: string): Promise<Email> {
  const find = async () => (await mailsAbout(text)).find((mail) => isTo(mail, address));
  await expect.poll(find, { message: text, ...OFTEN }).toBeDefined();
  const mail = await find();
  if (!mail) throw new Error(`No mail to ${address} is about ${text}`);
  return mail;
}

/** Wait for the only mail to an address. */
export async function mailTo(address: string): Promise<Email> {
  await expect.poll(async () => (await mailsTo(address)).length, OFTEN).toBe(1);
  const [mail] = await mailsTo(address);
  if (!mail) throw new Error(`No mail to ${address}`);
  return mail;
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

/** Wait until an address has received `count` links with this purpose. Return the newest. */
export async function linkTo(address: string, purpose: keyof typeof PATHS, count = 1): Promise<string> {
  const links = async () =>
    (await mailsTo(address))
      .filter(({ text }) => text?.includes(`/${PATHS[purpose]}/`))
      .sort((one, other) => Date.parse(one.date ?? '') - Date.parse(other.date ?? ''))
      .map((mail) => linkIn(mail, purpose));
  await expect.poll(async () => (await links()).length, OFTEN).toBe(count);
  return (await links()).at(-1) ?? '';
}
