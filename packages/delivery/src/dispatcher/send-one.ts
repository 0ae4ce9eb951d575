import type { ClaimedDelivery, DestinationKind } from '@waiver-service/store';
import { type DeliveryPolicy, decide } from '../policy/decide.ts';
import { outcomeOf } from '../sending/outcome-of.ts';
import type { Sender, SendResult } from '../sending/send-result.ts';
import type { DispatcherListener } from './events.ts';
import type { Flight } from './flights.ts';
import type { EndedTry } from './recorder.ts';

/** The senders, by what a destination takes. */
export interface Senders {
  readonly guestUpdate: Sender;
  readonly guestWebhook: Sender;
}

/** What sending one message needs. */
export interface SendOneOptions {
  readonly senders: Senders;
  readonly policy: DeliveryPolicy;
  readonly onEvent: DispatcherListener;
}

const senderOf: Record<DestinationKind, keyof Senders> = {
  'guest-update': 'guestUpdate',
  'guest-webhook': 'guestWebhook',
};

async function trySending(
  send: Sender,
  message: ClaimedDelivery,
  signal: AbortSignal,
): Promise<{ result: SendResult; error?: unknown }> {
  const started = performance.now();
  try {
    signal.throwIfAborted();
    return { result: await send(message, signal) };
  } catch (error) {
    const result = { ...outcomeOf(error), durationMs: performance.now() - started };
    return result.outcome === 'own-fault' ? { result, error } : { result };
  }
}

/** Sends one message and works out what that leads to. Never rejects. */
export async function sendOne(
  { message, abort }: Flight,
  { senders, policy, onEvent }: SendOneOptions,
): Promise<EndedTry> {
  const at = new Date();
  const { result, error } = await trySending(senders[senderOf[message.kind]], message, abort.signal);
  const { decision, inDoubt } = decide(
    { message, result, givenUp: abort.signal.aborted },
    policy,
    Math.random(),
  );
  const { id, kind, pool, destination, waiverId, version, attempts, trigger } = message;
  const { outcome, durationMs, status, errorCode, response } = result;
  onEvent({
    type: 'attempt',
    message: { id, kind, pool, destination, waiverId, version, attempts, trigger },
    result: { outcome, durationMs, status, errorCode },
    decision: decision.kind,
    ...(error === undefined ? {} : { error }),
  });
  return {
    destination,
    result,
    wasFailing: message.failing,
    finished: {
      pool,
      destination,
      orderingKey: message.orderingKey,
      leaseToken: message.leaseToken,
      id,
      decision,
      inDoubt,
      attempt: { at, durationMs, outcome, trigger, status, errorCode, response },
    },
  };
}
