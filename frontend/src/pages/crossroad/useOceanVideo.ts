import { useEffect, useRef, useState } from 'react';

import { useMediaQuery } from '../../ui/useMediaQuery';

/** Of the Network Information API, which not every browser has. */
interface Connection {
  saveData?: boolean;
}

/**
 * The state of the background video.
 *
 * It is wanted once everything that the page needs at first has come, and never by a visitor who asked for less
 * motion or less data: WCAG 2.2, 2.2.2 and 2.3.3. Whether it plays is what its events say, since a browser may
 * refuse to start it (a phone that saves its battery does). What the visitor has stopped stays stopped.
 */
export function useOceanVideo() {
  const element = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(false);
  const [stopped, setStopped] = useState(false);
  const pageIsLoaded = usePageIsLoaded();
  const lessMotion = useMediaQuery('(prefers-reduced-motion: reduce)');

  function toggle() {
    setStopped(playing);
    if (playing) element.current?.pause();
    // A refusal to play leaves the video as it is, and its button says so.
    else element.current?.play().catch(() => setPlaying(false));
  }

  const wanted = pageIsLoaded && !lessMotion && !savesData();
  return { element, wanted, playing, setPlaying, stopped, toggle };
}

function usePageIsLoaded(): boolean {
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    const note = () => setIsLoaded(document.readyState === 'complete');
    note();
    document.addEventListener('readystatechange', note);
    return () => document.removeEventListener('readystatechange', note);
  }, []);
  return isLoaded;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData ?? false;
}
