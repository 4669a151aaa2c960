// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/boat-sailboat-7-480.avif';
import avif960 from '@media/boat-sailboat-7-960.avif';
import avif1600 from '@media/boat-sailboat-7.avif';
import webp from '@media/boat-sailboat-7-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const boatSailboat7: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1600} 1600w`,
  webp,
  width: 1600,
  height: 1200,
};
