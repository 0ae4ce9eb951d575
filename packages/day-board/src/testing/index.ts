// For tests of a whole host.
export { openDayStore } from '../data/day-store.ts';
export { DayReader } from '../read-day.ts';
