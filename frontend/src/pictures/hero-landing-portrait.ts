// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/hero-landing-portrait-480.avif';
import avif960 from '@media/hero-landing-portrait-960.avif';
import avif1440 from '@media/hero-landing-portrait.avif';
import webp from '@media/hero-landing-portrait-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const heroLandingPortrait: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1440} 1440w`,
  webp,
  width: 1440,
  height: 2320,
};
