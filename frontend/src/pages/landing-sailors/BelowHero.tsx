import { FeatureStrip } from './FeatureStrip';
import { ProfileCallToAction } from './ProfileCallToAction';

/** What follows the hero of the landing page for sailors. */
export function BelowHero() {
  return (
    <>
      <FeatureStrip />
      <ProfileCallToAction />
    </>
  );
}
