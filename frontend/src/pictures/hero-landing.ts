// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/hero-landing-480.avif';
import avif960 from '@media/hero-landing-960.avif';
import avif1440 from '@media/hero-landing-1440.avif';
import avif1920 from '@media/hero-landing.avif';
import webp480 from '@media/hero-landing-480.webp';
import webp960 from '@media/hero-landing-960.webp';
import webp1440 from '@media/hero-landing-1440.webp';
import webp1920 from '@media/hero-landing.webp';
import type { PictureFiles } from '../ui/Picture';

export const heroLanding: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1440} 1440w, ${avif1920} 1920w`,
  webp: `${webp480} 480w, ${webp960} 960w, ${webp1440} 1440w, ${webp1920} 1920w`,
  src: webp1920,
  width: 1920,
  height: 1080,
};
