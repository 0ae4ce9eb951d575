// For tests of a whole host.
export { isPlanned, planPool } from '../invitation-planning.ts';
