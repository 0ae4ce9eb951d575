export { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher/dispatcher.ts';
export type { DispatcherEvent, DispatcherListener } from './dispatcher/events.ts';
export type { Senders } from './dispatcher/send-one.ts';
export { type DeliveryPolicy, decide, type Try, type Verdict } from './policy/decide.ts';
export { longestRetryAfterMs, retryWaitMs } from './policy/retry-wait.ts';
export { type AttemptPrunerOptions, startAttemptPruner } from './pruning/attempt-pruner.ts';
export { outcomeOf } from './sending/outcome-of.ts';
export type { Sender, SendResult } from './sending/send-result.ts';
export { createWebhookSender, type WebhookSenderOptions } from './sending/webhook-sender.ts';
