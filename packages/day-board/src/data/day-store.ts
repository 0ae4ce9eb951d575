import { readFlags, type SigningStore } from '@waiver-service/signing/data';
import type { ServiceIdentifier } from 'inversify';
import { createArrivals } from './arrivals.ts';
import { createDayReadings } from './day-readings.ts';
import type { OwnTables } from './tables.ts';
import { listWalkIns } from './walk-ins.ts';

/** The store with what the day board shows. */
export interface DayStore extends SigningStore {
  readonly days: ReturnType<typeof createDays>;
}
export const DayStore: ServiceIdentifier<DayStore> = Symbol('DayStore');

function createDays(store: SigningStore) {
  const { database } = store.context;
  const context = { ...store.context, database: database.withTables<OwnTables>() };
  return {
    walkIns: listWalkIns.bind(undefined, database),
    flagsOf: readFlags.bind(undefined, database),
    arrivals: createArrivals(context),
    readings: createDayReadings(context),
  };
}

export function openDayStore(store: SigningStore): DayStore {
  return { ...store, days: createDays(store) };
}
