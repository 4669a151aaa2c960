import { FeatureStrip } from './FeatureStrip';
import { FinalCall } from './FinalCall';

/** What follows the hero of the landing page for sailors. */
export function BelowHero() {
  return (
    <>
      <FeatureStrip />
      <FinalCall />
    </>
  );
}
