import oceanMp4 from '@media/ocean-loop.mp4';
import oceanWebm from '@media/ocean-loop.webm';
import portraitMp4 from '@media/ocean-loop-portrait.mp4';
import portraitWebm from '@media/ocean-loop-portrait.webm';
import { clsx } from 'clsx';
import { type RefObject, useEffect, useState } from 'react';

import { oceanPoster } from '../../pictures/ocean-poster';
import { oceanPosterPortrait } from '../../pictures/ocean-poster-portrait';
import { Picture } from '../../ui/Picture';
import { useMediaQuery } from '../../ui/useMediaQuery';
import * as styles from './Ocean.module.css';

interface FilmProps {
  video: RefObject<HTMLVideoElement | null>;
  /** Whether the visitor has stopped it: then it waits to be asked, whichever way the window is turned. */
  stopped: boolean;
  onPlayingChange: (playing: boolean) => void;
}

interface OceanProps extends FilmProps {
  /** Whether the sea shall move; the poster shows until it does. */
  wanted: boolean;
}

/** The evening sea that fills the window: a still picture, and over it, when there is time, the moving one. */
export function Ocean({ wanted, ...film }: OceanProps) {
  const portrait = useMediaQuery('(orientation: portrait)');

  return (
    <div className={styles.ocean} aria-hidden="true">
      <Picture
        files={oceanPoster}
        portrait={oceanPosterPortrait}
        alt=""
        sizes="max(100vw, 178vh)"
        className={styles.view}
      />
      {wanted && (
        // Another film when the window is turned; a video does not look at its sources again by itself.
        <Film key={portrait ? 'portrait' : 'landscape'} portrait={portrait} {...film} />
      )}
    </div>
  );
}

function Film({ video, portrait, stopped, onPlayingChange }: FilmProps & { portrait: boolean }) {
  const [hasStarted, setHasStarted] = useState(false);

  // A film that goes does not say that it plays no more.
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
