export type { ClaimRequest, DestinationShare, ProbeRequest } from './claim-lanes.ts';
export type { LaneCount } from './count-lanes.ts';
export type {
  AttemptOutcome,
  AttemptRecord,
  AttemptTrigger,
  ClaimedDelivery,
  DeliveryDecision,
  FinishedDelivery,
  LaneLease,
} from './delivery-types.ts';
export type { DestinationHealth, PauseChange, PausePolicy } from './destination-health.ts';
export { expireLeases } from './expire-leases.ts';
export type { DestinationWork, WorkFound } from './find-work.ts';
export type { DestinationHold } from './hold-destinations.ts';
export { createOutbox, type Outbox } from './outbox.ts';
export type { GrantedShare } from './take-requests.ts';
export {
  changeChannelName,
  createWakeChannel,
  type OutboxListener,
  setupChannelName,
  type WakeChannel,
} from './wake-channel.ts';
export type { Withdrawal } from './withdrawals.ts';
