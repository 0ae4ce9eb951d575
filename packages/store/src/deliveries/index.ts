export { type ChangedDeliveries, readChangedDeliveries } from './changed-deliveries.ts';
export { createDeliveries, type Deliveries, type RetryOutcome } from './deliveries.ts';
export type { DeliveryFilter } from './delivery-filter.ts';
export type { AttemptItem, DeliveryDetail, DeliveryItem } from './delivery-item.ts';
export { type DeliveryLane, type LaneItem, type LaneSide, maxCounted } from './delivery-lane.ts';
export { createRecoveryJob, maxRunningRecoveries, type RecoverOutcome } from './recoveries.ts';
export type { RecoverRequest, Recovery } from './recovery.ts';
export { type DeliveryStateName, deliveryStateNames } from './shown-state.ts';
