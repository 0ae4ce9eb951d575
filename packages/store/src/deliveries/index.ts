export { createDeliveries, type Deliveries, type RecoverRequest, type RetryOutcome } from './deliveries.ts';
export type { DeliveryFilter } from './delivery-filter.ts';
export type { AttemptItem, DeliveryDetail, DeliveryItem } from './delivery-item.ts';
export { type DeliveryStateName, deliveryStateNames } from './shown-state.ts';
