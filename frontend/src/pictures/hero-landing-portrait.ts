// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/hero-landing-portrait-480.avif';
import avif810 from '@media/hero-landing-portrait.avif';
import webp480 from '@media/hero-landing-portrait-480.webp';
import webp810 from '@media/hero-landing-portrait.webp';
import type { PictureFiles } from '../ui/Picture';

export const heroLandingPortrait: PictureFiles = {
  avif: `${avif480} 480w, ${avif810} 810w`,
  webp: `${webp480} 480w, ${webp810} 810w`,
  src: webp810,
  width: 810,
  height: 1080,
};
