import { addDays } from '../../../src/features/calendar/day';
import { getFirstDay } from '../../../src/features/calendar/month';
import * as sample from '../../../src/features/events/data/sampleEvents';

const EVENTS = 2000;

/** The period of the events: the month of the visit and the two months after it. */
const DAYS = 90;

/** Replaces the sample events in the benchmarked build with many copies of them, in order of their start. */
export const createSampleEvents: typeof sample.createSampleEvents = (month, translate) => {
  const originals = sample.createSampleEvents(month, translate);
  const rounds = Array.from({ length: Math.ceil(EVENTS / originals.length) }, (_, round) =>
    originals.map((event, index) => ({
      ...event,
      id: `${event.id}-${round}`,
      title: `${event.title} ${round}`,
      date: addDays(getFirstDay(month), (round * originals.length + index) % DAYS),
    })),
  );
  const start = ({ date, startTime }: (typeof originals)[number]) => `${date} ${startTime}`;
  return rounds
    .flat()
    .slice(0, EVENTS)
    .sort((one, other) => start(one).localeCompare(start(other)));
};
