import type { StoreContext } from '../store-context.ts';
import { createArrivals } from './arrivals.ts';
import { createDayReadings } from './day-readings.ts';
import { listWalkIns, readFlags } from './day-waivers.ts';

/** The days on which guests come. */
export interface Days extends ReturnType<typeof createDays> {}

export function createDays(context: StoreContext) {
  const { database } = context;
  return {
    arrivals: createArrivals(context),
    readings: createDayReadings(context),
    walkIns: listWalkIns.bind(undefined, database),
    flagsOf: readFlags.bind(undefined, database),
  };
}
