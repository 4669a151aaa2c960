import { memo, Suspense, use, useEffect, useRef } from 'react';

import { isLanguage } from '../i18n/languages';
import { LoadedPart } from './LoadedPart';
import { onPage } from './onPage';
import type { Part } from './part';
import { onSignOfLife } from './signsOfLife';
import { Sleep } from './sleep';

/** A part that reaches into the window's lower quarter only still lies below the first screen. */
const FIRST_SCREEN = '0px 0px -25%';

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

/** Ends the sleep of a part once it can be shown; a part that cannot be loaded stays as it stands. */
async function wake(part: Part, sleep: Sleep): Promise<void> {
  const { lang } = document.documentElement;
  if (sleep.isOver || !isLanguage(lang)) return;
  try {
    await part.load(lang);
    sleep.end();
  } catch {
    // The next sign of life tries again.
  }
}

/**
 * A stretch of a page below the first screen.
 *
 * In a page that was rendered at build time it stands there from the start, as text and links, and the code that brings
 * it to life comes when the visitor scrolls or touches anything. Elsewhere it is loaded at once.
 *
 * Never rendered anew by its page (memo): React drops what stands there when it has to render it without its code. A
 * context that changes above makes it do so all the same; the part is then loaded at once.
 */
export const Later = memo(function Later({ part }: { part: Part }) {
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const sleep = sleepOf(part);
    onPage.set(part, sleep);
    const nearness = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void wake(part, sleep);
      },
      { rootMargin: FIRST_SCREEN },
    );
    if (place.current) nearness.observe(place.current);
    const endWatch = onSignOfLife(() => void wake(part, sleep));
    return () => {
      onPage.delete(part);
      nearness.disconnect();
      endWatch();
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
  use(sleepOf(part).over);
  return <LoadedPart part={part} />;
}

/** Only rendered where nothing stands in the part's place yet. */
function Alarm({ part }: { part: Part }) {
  useEffect(() => sleepOf(part).end(), [part]);
  return null;
}
