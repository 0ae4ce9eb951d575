// For tests of a whole host.
export { DayReader } from '../read-day.ts';
