import oceanMp4 from '@media/ocean-loop.mp4';
import oceanWebm from '@media/ocean-loop.webm';
import portraitMp4 from '@media/ocean-loop-portrait.mp4';
import portraitWebm from '@media/ocean-loop-portrait.webm';
import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import oceanPoster from '@media/ocean-poster.avif?picture';
import oceanPosterPortrait from '@media/ocean-poster-portrait.avif?picture';

import { Picture } from '../../ui/Picture';
import { DESKTOP_UP, useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './Ocean.module.css';

type Film = ReturnType<typeof useFilm>;

/** Render the full-window background: a poster and, once the page has loaded, a video over it. */
export function Ocean({ film }: { film: Film }) {
  const isWide = useMediaQuery(DESKTOP_UP);

  return (
    <div className={styles.ocean} aria-hidden="true">
      <Picture
        files={oceanPoster}
        portrait={oceanPosterPortrait}
        alt=""
        sizes="(width < 1024px) max(100vw, 178vh), max(120vw, 178vh)"
        className={styles.view}
      />
      {film.isWanted && (
        // Mounted anew for another size, because a video element does not re-evaluate its sources.
        <OceanVideo key={isWide ? 'wide' : 'narrow'} isWide={isWide} film={film} />
      )}
    </div>
  );
}

function OceanVideo({ isWide, film }: { isWide: boolean; film: Film }) {
  const { video, wasStopped, setPlaying } = film;
  const [hasStarted, setHasStarted] = useState(false);

  // An unmounted video does not fire `pause`.
  useEffect(() => () => setPlaying(false), [setPlaying]);

  return (
    <video
      ref={video}
      className={clsx(styles.view, styles.video, hasStarted && styles.started)}
      autoPlay={!wasStopped}
      loop
      muted
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      onPlaying={() => {
        setHasStarted(true);
        setPlaying(true);
      }}
      onPause={() => setPlaying(false)}
    >
      <source src={isWide ? oceanWebm : portraitWebm} type="video/webm" />
      <source src={isWide ? oceanMp4 : portraitMp4} type="video/mp4" />
    </video>
  );
}

/**
 * Return the state of the background video.
 *
 * The video loads after the page, and not at all when the visitor prefers reduced motion or data (WCAG 2.2, 2.2.2 and
 * 2.3.3). `isPlaying` follows the events of the video, because browsers may refuse to play it (in battery saver). One that
 * the visitor has stopped stays so when another takes its place.
 */
export function useFilm() {
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [wasStopped, setStopped] = useState(false);
  const [pageIsLoaded, setLoaded] = useState(false);
  const lessMotion = useMediaQuery('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    const update = () => setLoaded(document.readyState === 'complete');
    update();
    document.addEventListener('readystatechange', update);
    return () => document.removeEventListener('readystatechange', update);
  }, []);

  function toggle() {
    setStopped(isPlaying);
    if (isPlaying) video.current?.pause();
    // The browser may refuse to play.
    else video.current?.play().catch(() => setPlaying(false));
  }

  return {
    video,
    isWanted: pageIsLoaded && !lessMotion && !savesData(),
    isPlaying,
    setPlaying,
    wasStopped,
    toggle,
  };
}

/** Read the Network Information API, which not every browser supports. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData ?? false;
}
