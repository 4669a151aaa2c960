import * as sample from '../../../src/pages/marketplace/sampleBoats';

const BOATS = 5000;

/** As many boats as a large marketplace has, made of the sample's; stands in for the sample in a measured build. */
export const sampleBoats: typeof sample.sampleBoats = (visit, describe) => {
  const models = sample.sampleBoats(visit, describe);
  const rounds = Array.from({ length: Math.ceil(BOATS / models.length) }, (_, round) =>
    models.map((model, index) => ({
      ...model,
      id: `${model.id}-${round}`,
      name: `${model.name} ${round}`,
      pricePerDay: (model.pricePerDay + 7 * round) % 1000,
      rating: 3 + ((index + round) % 21) / 10,
      reviewCount: (model.reviewCount + 13 * round) % 400,
    })),
  );
  return rounds.flat().slice(0, BOATS);
};
