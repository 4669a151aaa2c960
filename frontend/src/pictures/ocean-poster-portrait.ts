// Written by frontend/tools/build/make-pictures.js.
import avif540 from '@media/ocean-poster-portrait.avif';
import webp from '@media/ocean-poster-portrait.webp';
import type { PictureFiles } from '../ui/Picture';

export const oceanPosterPortrait: PictureFiles = {
  avif: `${avif540} 540w`,
  webp,
  width: 540,
  height: 960,
};
