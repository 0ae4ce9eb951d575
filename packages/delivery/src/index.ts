export { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher/dispatcher.ts';
export type { DispatcherEvent, DispatcherListener } from './dispatcher/events.ts';
export type { Senders } from './dispatcher/send-message.ts';
export { createWakeTimer } from './dispatcher/wake-timer.ts';
export { type Attempt, type DeliveryPolicy, decide, type Verdict } from './policy/decide.ts';
export { retryWaitMs } from './policy/retry-wait.ts';
export { startAttemptPruner } from './pruning/attempt-pruner.ts';
export { outcomeOf } from './sending/outcome-of.ts';
export type {
  InDoubt,
  Postponed,
  Refused,
  Sender,
  SendLimits,
  SendResult,
  Untimed,
} from './sending/send-result.ts';
export { createWebhookSender } from './sending/webhook-sender.ts';
