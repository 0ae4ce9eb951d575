import type { Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { createArrivals } from './arrivals.ts';
import { createDayReadings } from './day-readings.ts';
import type { OwnTables } from './tables.ts';

/** The store with arrivals, and the readings of days. */
export interface DayStore extends Omit<Store, 'days'> {
  readonly days: Store['days'] & {
    readonly arrivals: ReturnType<typeof createArrivals>;
    readonly readings: ReturnType<typeof createDayReadings>;
  };
}
export const DayStore: ServiceIdentifier<DayStore> = Symbol('DayStore');

export function openDayStore(store: Store): DayStore {
  const context = { ...store.context, database: store.context.database.withTables<OwnTables>() };
  return {
    ...store,
    days: {
      ...store.days,
      arrivals: createArrivals(context),
      readings: createDayReadings(context),
    },
  };
}
