import { JoinCallToAction } from './JoinCallToAction';
import { Features } from './Features';
import { Mission } from './Mission';
import { Services } from './Services';
import { Testimonials } from './Testimonials';
import { Values } from './Values';

/** What follows the hero of the landing page. */
export function BelowHero() {
  return (
    <>
      <Services />
      <Features />
      <Values />
      <Mission />
      <Testimonials />
      <JoinCallToAction />
    </>
  );
}
