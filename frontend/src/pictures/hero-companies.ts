// Written by frontend/tools/build/make-pictures.js.
import avif480 from '@media/hero-companies-480.avif';
import avif960 from '@media/hero-companies-960.avif';
import avif1440 from '@media/hero-companies-1440.avif';
import avif1920 from '@media/hero-companies-1920.avif';
import avif2560 from '@media/hero-companies.avif';
import webp from '@media/hero-companies-960.webp';
import type { PictureFiles } from '../ui/Picture';

export const heroCompanies: PictureFiles = {
  avif: `${avif480} 480w, ${avif960} 960w, ${avif1440} 1440w, ${avif1920} 1920w, ${avif2560} 2560w`,
  webp,
  width: 2560,
  height: 1440,
};
