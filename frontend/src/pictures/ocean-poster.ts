// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/ocean-poster-480.avif';
import avif960 from '@media/ocean-poster-960.avif';
import avif1280 from '@media/ocean-poster.avif';
import webp480 from '@media/ocean-poster-480.webp';
import webp960 from '@media/ocean-poster-960.webp';
import webp1280 from '@media/ocean-poster.webp';
import type { PictureFiles } from '../ui/Picture';

export const oceanPoster: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1280} 1280w`,
  webp: `${webp480} 480w, ${webp960} 960w, ${webp1280} 1280w`,
  src: webp1280,
  width: 1280,
  height: 720,
};
