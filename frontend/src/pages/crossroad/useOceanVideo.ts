import { useEffect, useRef, useState } from 'react';

import { useMediaQuery } from '../../ui/useMediaQuery';

/** Part of the Network Information API, which not every browser supports. */
interface Connection {
  saveData?: boolean;
}

/**
 * Return the state of the background video.
 *
 * The video loads after the page, and not at all when the visitor prefers reduced motion or data (WCAG 2.2, 2.2.2 and
 * 2.3.3). `playing` follows the events of the video, because browsers may refuse to play it (in battery saver).
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
    // The browser may refuse to play.
    else element.current?.play().catch(() => setPlaying(false));
  }

  const wanted = pageIsLoaded && !lessMotion && !savesData();
  return { element, wanted, playing, setPlaying, stopped, toggle };
}

function usePageIsLoaded(): boolean {
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    const update = () => setIsLoaded(document.readyState === 'complete');
    update();
    document.addEventListener('readystatechange', update);
    return () => document.removeEventListener('readystatechange', update);
  }, []);
  return isLoaded;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData ?? false;
}
