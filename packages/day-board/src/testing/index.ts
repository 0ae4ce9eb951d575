// For tests of a whole host.
export { largeDay, seedDay } from './large-day.ts';
