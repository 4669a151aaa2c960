import * as sample from '../../../src/pages/marketplace/data/sampleBoats';

const BOATS = 5000;

/** Replaces the sample boats in the benchmarked build with many variations of them. */
export const createSampleBoats: typeof sample.createSampleBoats = (today, translate) => {
  const originals = sample.createSampleBoats(today, translate);
  const rounds = Array.from({ length: Math.ceil(BOATS / originals.length) }, (_, round) =>
    originals.map((boat, index) => ({
      ...boat,
      id: `${boat.id}-${round}`,
      name: `${boat.name} ${round}`,
      pricePerDay: (boat.pricePerDay + 7 * round) % 1000,
      rating: 3 + ((index + round) % 21) / 10,
      reviewCount: (boat.reviewCount + 13 * round) % 400,
    })),
  );
  return rounds.flat().slice(0, BOATS);
};
