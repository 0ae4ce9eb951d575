export type { ClaimRequest, DestinationShare, ProbeRequest } from './claim.ts';
export type { LaneCount } from './count-lanes.ts';
export type {
  AttemptOutcome,
  AttemptRecord,
  AttemptTrigger,
  ClaimedDelivery,
  DeliveryDecision,
  FinishedDelivery,
  LossDecision,
  OutboundMessage,
} from './delivery-types.ts';
export type { DestinationHealth, PauseChange, PausePolicy } from './destination-health.ts';
export { type ClaimingDispatcher, expireLeases } from './dispatchers.ts';
export type { DestinationWork, WorkFound, WorkRequest } from './find-work.ts';
export type { DestinationHold } from './hold-destinations.ts';
export { createOutbox, type Outbox } from './outbox.ts';
export type { DecideLoss } from './take-over.ts';
export type { GrantedShare } from './take-requests.ts';
export {
  changeChannelName,
  createWakeChannel,
  type OutboxListener,
  setupChannelName,
  type WakeChannel,
} from './wake-channel.ts';
export type { Withdrawal } from './withdrawals.ts';
