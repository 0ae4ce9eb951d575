export { closeDestination } from './close-destination.ts';
export { openDestination, reopenDestination } from './open-destination.ts';
