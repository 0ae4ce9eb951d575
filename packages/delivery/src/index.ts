export { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher/dispatcher.ts';
export type { DispatcherEvent, DispatcherListener, Senders } from './dispatcher/send-message.ts';

export { createWakeTimer } from './dispatcher/wake-timer.ts';
export { startAttemptPruner } from './dispatcher/write-attempts.ts';
export { type Attempt, type DeliveryPolicy, decide, retryWaitMs, type Verdict } from './policy/decide.ts';

export {
  type InDoubt,
  outcomeOf,
  type Postponed,
  type Refused,
  type Sender,
  type SendLimits,
  type SendResult,
  type Untimed,
} from './sending/send-result.ts';

export { createWebhookSender } from './sending/webhook-sender.ts';
