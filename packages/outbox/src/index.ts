export {
  type Database,
  type DatabaseTransaction,
  migrations,
  type OwnTables as OutboxTables,
} from './data/tables.ts';
export { changingSending, createWriteUnitJob } from './destinations/change-sending.ts';
export type { DestinationHealth, PausePolicy } from './destinations/destination-health.ts';
export {
  changeWriteUnit,
  closeDestination,
  type DestinationHold,
  holdUnauthorized,
  isHeld,
  openDestination,
  pauseDestination,
  probeSoon,
  resumeDestination,
} from './destinations/destinations.ts';
export type { ClaimRequest, DestinationShare, DestinationWork, WorkFound } from './dispatching/claim.ts';
export { type ClaimingDispatcher, expireLeases } from './dispatching/dispatchers.ts';
export { createOutbox, type GrantedShare, type Outbox, type OutboxOptions } from './dispatching/outbox.ts';
export type { DecideLoss } from './dispatching/take-over.ts';
export { afterCancelMs, cancelMessages, createCancelJob } from './messages/cancel-messages.ts';
export {
  attemptsUsed,
  isInJournal,
  isSending,
  pendingAndEnded,
  shownState,
  stateOfDelivery,
} from './messages/delivery-state.ts';
export type {
  AttemptOutcome,
  AttemptTrigger,
  ClaimedDelivery,
  DeliveryDecision,
  DestinationKind,
  FinishedDelivery,
  LossDecision,
  OutboundMessage,
} from './messages/delivery-types.ts';
export { enqueue, enqueuing } from './messages/enqueue.ts';
export { hasEnded, removeDeliveries } from './messages/remove-deliveries.ts';
export { reopenMessages } from './messages/reopen-messages.ts';
export {
  announceWithdrawal,
  dispatchWithdrawal,
  narrowPermission,
  replaceBodies,
  type Withdrawal,
} from './messages/withdrawals.ts';
export {
  type BookingIds,
  channels,
  type DestinationOwners,
  type Occurrence,
  type ReportOccurrences,
} from './outbox-context.ts';

export {
  type BudgetRequest,
  setRequestLimits,
  sharedBudgetId,
  type TakenRequests,
  takeRequests,
  type UnusedRequests,
} from './request-budgets.ts';
