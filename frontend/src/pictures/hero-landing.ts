// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/hero-landing-480.avif';
import avif960 from '@media/hero-landing-960.avif';
import avif1440 from '@media/hero-landing-1440.avif';
import avif1920 from '@media/hero-landing-1920.avif';
import avif2560 from '@media/hero-landing.avif';
import webp from '@media/hero-landing-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const heroLanding: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1440} 1440w, ${avif1920} 1920w, ${avif2560} 2560w`,
  webp,
  width: 2560,
  height: 1440,
};
