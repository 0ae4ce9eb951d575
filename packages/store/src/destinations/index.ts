export { createCancelJob } from './cancel-job.ts';
export { closeDestination } from './close-destination.ts';
export {
  createDestinations,
  type DestinationItem,
  type Destinations,
  readDestinations,
} from './destinations.ts';
export { narrowPermission } from './narrow-permission.ts';
export { changeWriteUnit, openDestination, probeSoon } from './open-destination.ts';
export { createWriteUnitJob } from './write-unit-job.ts';
