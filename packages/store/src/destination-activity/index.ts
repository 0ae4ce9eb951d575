export { createActivityCounter } from './activity-counter.ts';
export {
  type ActivityBucket,
  type ActivityRequest,
  createDestinationActivities,
  type DestinationActivities,
  type DestinationActivity,
} from './destination-activities.ts';
