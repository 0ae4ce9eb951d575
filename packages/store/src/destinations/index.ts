export { closeDestination } from './close-destination.ts';
export { createDestinations, type DestinationItem, type Destinations } from './destinations.ts';
export { limitRequests, type RequestLimit } from './limit-requests.ts';
export { openDestination, probeSoon, reopenDestination } from './open-destination.ts';
