import oceanMp4 from '@media/ocean-loop.mp4';
import oceanWebm from '@media/ocean-loop.webm';
import portraitMp4 from '@media/ocean-loop-portrait.mp4';
import portraitWebm from '@media/ocean-loop-portrait.webm';
import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import oceanPoster from '@media/ocean-poster.avif?picture';
import oceanPosterPortrait from '@media/ocean-poster-portrait.avif?picture';

import { Picture } from '../../ui/Picture';
import { useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './Ocean.module.css';

interface OceanVideoProps {
  video: RefObject<HTMLVideoElement | null>;
  /** Whether the visitor has paused the video; it then stays paused when the window is rotated. */
  stopped: boolean;
  onPlayingChange: (playing: boolean) => void;
}

interface OceanProps extends OceanVideoProps {
  /** Whether to load the video; the poster shows until it plays. */
  wanted: boolean;
}

/** Render the full-window background: a poster and, once the page has loaded, a video over it. */
export function Ocean({ wanted, ...film }: OceanProps) {
  const portrait = useMediaQuery('(orientation: portrait)');

  return (
    <div className={styles.ocean} aria-hidden="true">
      <Picture
        files={oceanPoster}
        portrait={oceanPosterPortrait}
        alt=""
        sizes="(orientation: portrait) max(100vw, 178vh), max(120vw, 178vh)"
        className={styles.view}
      />
      {wanted && (
        // Remount on rotation, because a video element does not re-evaluate its sources.
        <OceanVideo key={portrait ? 'portrait' : 'landscape'} portrait={portrait} {...film} />
      )}
    </div>
  );
}

function OceanVideo({ video, portrait, stopped, onPlayingChange }: OceanVideoProps & { portrait: boolean }) {
  const [hasStarted, setHasStarted] = useState(false);

  // An unmounted video does not fire `pause`.
  useEffect(() => () => onPlayingChange(false), [onPlayingChange]);

  return (
    <video
      ref={video}
      className={clsx(styles.view, styles.video, hasStarted && styles.started)}
      autoPlay={!stopped}
      loop
      muted
      playsInline
      disablePictureInPicture
      tabIndex={-1}
      onPlaying={() => {
        setHasStarted(true);
        onPlayingChange(true);
      }}
      onPause={() => onPlayingChange(false)}
    >
      <source src={portrait ? portraitWebm : oceanWebm} type="video/webm" />
      <source src={portrait ? portraitMp4 : oceanMp4} type="video/mp4" />
    </video>
  );
}

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
