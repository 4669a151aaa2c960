// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/hero-sailors-square-480.avif';
import avif960 from '@media/hero-sailors-square-960.avif';
import avif1500 from '@media/hero-sailors-square.avif';
import webp from '@media/hero-sailors-square-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const heroSailorsSquare: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1500} 1500w`,
  webp,
  width: 1500,
  height: 1500,
};
