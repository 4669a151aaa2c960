// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/course-safety-480.avif';
import avif800 from '@media/course-safety.avif';
import webp480 from '@media/course-safety-480.webp';
import webp800 from '@media/course-safety.webp';
import type { PictureFiles } from '../ui/Picture';

export const courseSafety: PictureFiles = {
  avif: `${avif480} 480w, ${avif800} 800w`,
  webp: `${webp480} 480w, ${webp800} 800w`,
  src: webp800,
  width: 800,
  height: 450,
};
