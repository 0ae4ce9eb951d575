export {
  type Database,
  type DatabaseTransaction,
  migrations,
  type OwnTables as OutboxTables,
} from './data/tables.ts';
export { holdUnauthorized } from './destinations/authorization.ts';
export { createCancelJob } from './destinations/cancel-job.ts';
export { changingSending } from './destinations/change-sending.ts';
export { closeDestination } from './destinations/close-destination.ts';
export type { DestinationHealth, PausePolicy } from './destinations/destination-health.ts';
export type { BookingIds, DestinationOwners } from './destinations/destination-owners.ts';
export { type DestinationHold, isHeld } from './destinations/hold-destinations.ts';
export { narrowPermission } from './destinations/narrow-permission.ts';
export { changeWriteUnit, openDestination, probeSoon } from './destinations/open-destination.ts';
export { pauseDestination, resumeDestination } from './destinations/pause-destination.ts';
export { createWriteUnitJob } from './destinations/write-unit-job.ts';
export type { ClaimRequest, DestinationShare } from './dispatching/claim.ts';
export { type ClaimingDispatcher, expireLeases } from './dispatching/dispatchers.ts';
export type { DestinationWork, WorkFound } from './dispatching/find-work.ts';
export { createOutbox, type GrantedShare, type Outbox, type OutboxOptions } from './dispatching/outbox.ts';
export type { DecideLoss } from './dispatching/take-over.ts';
export { afterCancelMs, cancelMessages } from './messages/cancel-messages.ts';
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
export { enqueue } from './messages/enqueue.ts';
export { enqueuing } from './messages/enqueuing.ts';
export { hasEnded, removeDeliveries } from './messages/remove-deliveries.ts';
export { reopenMessages } from './messages/reopen-messages.ts';
export { replaceBodies } from './messages/replace-bodies.ts';
export { announceWithdrawal, dispatchWithdrawal, type Withdrawal } from './messages/withdrawals.ts';
export { channels } from './notifications.ts';
export type { Occurrence, ReportOccurrences } from './occurrences.ts';
export { sharedBudgetId } from './request-budgets/budget.ts';
export { setRequestLimits } from './request-budgets/set-request-limits.ts';
export {
  type BudgetRequest,
  type TakenRequests,
  takeRequests,
  type UnusedRequests,
} from './request-budgets/take-requests.ts';
