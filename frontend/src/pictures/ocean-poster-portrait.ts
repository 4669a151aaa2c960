// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/ocean-poster-portrait-480.avif';
import avif1080 from '@media/ocean-poster-portrait.avif';
import webp from '@media/ocean-poster-portrait.webp';
import type { PictureFiles } from '../ui/Picture';

export const oceanPosterPortrait: PictureFiles = {
  avif: `${avif480} 480w, ${avif1080} 1080w`,
  webp,
  width: 1080,
  height: 1920,
};
