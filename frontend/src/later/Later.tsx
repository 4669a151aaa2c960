import { memo, Suspense, use, useEffect, useRef } from 'react';

import type { Language } from '../language/languages';
import { LoadedPart } from './LoadedPart';
import type { Part } from './part';
import { Sleep } from './sleep';

/** A part that reaches into the window's lower quarter only still lies below the first screen. */
const FIRST_SCREEN = '0px 0px -25%';

/** What a visitor does first; whatever comes next may need the whole page, another address for example. */
const SIGNS_OF_LIFE = ['scroll', 'wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'];

/** The parts on the page, each with its sleep. */
const onPage = new Map<Part, Sleep>();

/** The sleep of each part that has been on a page: React asks anew for a part that it has suspended. */
const sleeps = new WeakMap<Part, Sleep>();

function sleepOf(part: Part): Sleep {
  let sleep = sleeps.get(part);
  if (!sleep) {
    sleep = new Sleep();
    sleeps.set(part, sleep);
  }
  return sleep;
}

/** Wakes all parts of the page and loads them in these languages. */
export async function prepareParts(languages: Language[]): Promise<void> {
  const parts = [...onPage].map(([part, sleep]) => {
    sleep.end();
    return Promise.all(languages.map((language) => part.load(language)));
  });
  await Promise.all(parts);
}

/**
 * A stretch of a page below the first screen.
 *
 * In a page that was rendered at build time it stands there from the start, as text and links, and the code that brings
 * it to life comes when the visitor scrolls or touches anything. Elsewhere it is loaded at once.
 *
 * Never rendered anew by its page (memo): React would drop what stands there while its code is still missing.
 */
export const Later = memo(function Later({ part }: { part: Part }) {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const sleep = sleepOf(part);
    onPage.set(part, sleep);
    const nearness = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) sleep.end();
      },
      { rootMargin: FIRST_SCREEN },
    );
    if (place.current) nearness.observe(place.current);
    const ended = new AbortController();
    for (const event of SIGNS_OF_LIFE) {
      window.addEventListener(event, () => sleep.end(), { signal: ended.signal, passive: true });
    }
    return () => {
      onPage.delete(part);
      nearness.disconnect();
      ended.abort();
    };
  }, [part]);

  return (
    <div ref={place}>
      <Suspense fallback={<Alarm part={part} />}>
        <Sleeper part={part} />
      </Suspense>
    </div>
  );
});

function Sleeper({ part }: { part: Part }) {
  const sleep = sleepOf(part);
  if (!sleep.isOver) use(sleep.over);
  return <LoadedPart part={part} />;
}

/** Only rendered where nothing stands in the part's place yet. */
function Alarm({ part }: { part: Part }) {
  useEffect(() => sleepOf(part).end(), [part]);
  return null;
}
