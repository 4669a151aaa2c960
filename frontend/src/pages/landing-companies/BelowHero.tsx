import { AdvertiseCallToAction } from './AdvertiseCallToAction';
import { Benefits } from './Benefits';
import { Offerings } from './Offerings';

/** What follows the hero of the landing for companies. */
export function BelowHero() {
  return (
    <>
      <Offerings />
      <Benefits />
      <AdvertiseCallToAction />
    </>
  );
}
