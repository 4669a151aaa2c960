// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/boat-catamaran-2-480.avif';
import avif800 from '@media/boat-catamaran-2.avif';
import webp480 from '@media/boat-catamaran-2-480.webp';
import webp800 from '@media/boat-catamaran-2.webp';
import type { PictureFiles } from '../ui/Picture';

export const boatCatamaran2: PictureFiles = {
  avif: `${avif480} 480w, ${avif800} 800w`,
  webp: `${webp480} 480w, ${webp800} 800w`,
  src: webp800,
  width: 800,
  height: 600,
};
