/**
 * Brings a page that was rendered at build time to life: asks for its scripts, which `data-scripts` of the script element
 * names, once what the page shows at first has been painted, or at the first sign of a visitor. Asked for at once, they
 * would come in between the page's pictures.
 */
import { SIGNS_OF_LIFE } from './later/signsOfLife';

const addresses = document.currentScript?.dataset.scripts?.split(' ') ?? [];

function begin() {
  for (const src of addresses.splice(0)) {
    document.head.append(Object.assign(document.createElement('script'), { src, async: false }));
  }
}

for (const sign of SIGNS_OF_LIFE) addEventListener(sign, begin, { once: true, passive: true });

addEventListener('load', () => {
  // A picture that has come is painted once it is decoded; one that waits to be scrolled to has not.
  const decoded = [...document.images].map(async (image) => image.complete && image.decode());
  void Promise.allSettled(decoded).then(() => requestAnimationFrame(() => setTimeout(begin)));
});
