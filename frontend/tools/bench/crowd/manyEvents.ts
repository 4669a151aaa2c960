import { addDays } from '../../../src/calendar/day';
import { firstDayOf } from '../../../src/calendar/month';
import * as sample from '../../../src/events/sampleEvents';

const EVENTS = 2000;

/** They are crowded into the month of the visit and the two after it: some twenty a day. */
const DAYS = 90;

/** As many events as a large community has, made of the sample's; stands in for the sample in a measured build. */
export const sampleEvents: typeof sample.sampleEvents = (month) => {
  const models = sample.sampleEvents(month);
  const rounds = Array.from({ length: Math.ceil(EVENTS / models.length) }, (_, round) =>
    models.map((model, index) => ({
      ...model,
      id: `${model.id}-${round}`,
      title: `${model.title} ${round}`,
      date: addDays(firstDayOf(month), (round * models.length + index) % DAYS),
    })),
  );
  return rounds.flat().slice(0, EVENTS);
};
