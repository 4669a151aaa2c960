import type { Language } from '../i18n/languages';
import type { Part } from './part';
import type { Sleep } from './sleep';

/** The parts on the page, each with its sleep. */
export const onPage = new Map<Part, Sleep>();

/** Loads all parts of the page in these languages, and wakes them. */
export async function prepareParts(languages: Language[]): Promise<void> {
  const parts = [...onPage].map(async ([part, sleep]) => {
    await Promise.all(languages.map((language) => part.load(language)));
    sleep.end();
  });
  await Promise.all(parts);
}
