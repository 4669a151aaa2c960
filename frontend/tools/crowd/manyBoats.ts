import type { Boat } from '../../src/pages/marketplace/boat';
import * as sample from '../../src/pages/marketplace/sampleBoats';

const BOATS = 5000;

/** As many boats as a large marketplace has, made of the sample's; stands in for the sample in a measured build. */
export const sampleBoats: typeof sample.sampleBoats = (visit, describe) => {
  const models = sample.sampleBoats(visit, describe);
  return Array.from({ length: BOATS }, (_, index) => {
    const model = models[index % models.length] as Boat;
    const round = Math.floor(index / models.length);
    return {
      ...model,
      id: `${model.id}-${round}`,
      name: `${model.name} ${round}`,
      pricePerDay: (model.pricePerDay + 7 * round) % 1000,
      rating: 3 + (index % 21) / 10,
      reviewCount: (model.reviewCount + 13 * round) % 400,
    };
  });
};
