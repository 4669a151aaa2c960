// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/ocean-poster-480.avif';
import avif960 from '@media/ocean-poster-960.avif';
import avif1440 from '@media/ocean-poster-1440.avif';
import avif1920 from '@media/ocean-poster-1920.avif';
import avif2560 from '@media/ocean-poster.avif';
import webp from '@media/ocean-poster-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const oceanPoster: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1440} 1440w, ${avif1920} 1920w, ${avif2560} 2560w`,
  webp,
  width: 2560,
  height: 1440,
};
