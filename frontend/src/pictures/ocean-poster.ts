// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/ocean-poster-480.avif';
import avif960 from '@media/ocean-poster-960.avif';
import avif1280 from '@media/ocean-poster.avif';
import webp from '@media/ocean-poster-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const oceanPoster: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1280} 1280w`,
  webp,
  width: 1280,
  height: 720,
};
