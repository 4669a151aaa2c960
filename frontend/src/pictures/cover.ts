// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/cover-480.avif';
import avif960 from '@media/cover-960.avif';
import avif1440 from '@media/cover-1440.avif';
import avif2080 from '@media/cover.avif';
import webp from '@media/cover-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const cover: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1440} 1440w, ${avif2080} 2080w`,
  webp,
  width: 2080,
  height: 360,
};
