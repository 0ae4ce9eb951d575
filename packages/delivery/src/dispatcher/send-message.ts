import type { DestinationKind } from '@waiver-service/outbox';
import { type DeliveryPolicy, decide } from '../policy/decide.ts';
import { keptWarnings } from '../policy/kept-warnings.ts';
import { outcomeOf } from '../sending/outcome-of.ts';
import type { Sender, SendLimits, SendResult } from '../sending/send-result.ts';
import type { DispatcherListener } from './events.ts';
import type { EndedAttempt, InFlightMessage } from './in-flight-message.ts';

/** The senders, by kind of destination. */
export interface Senders {
  readonly guestUpdate: Sender;
  readonly guestWebhook: Sender;
  readonly alert: Sender;
  readonly invitation: Sender;
}

/** The dependencies of sending. */
export interface SendOptions {
  readonly senders: Senders;
  readonly policy: DeliveryPolicy;
  readonly onEvent: DispatcherListener;
  /** When all sends must have ended, by `performance.now()`: before another process may send the same messages. */
  readonly mustEndAt: () => number;
}

const senderOf: Record<DestinationKind, keyof Senders> = {
  'guest-update': 'guestUpdate',
  'guest-webhook': 'guestWebhook',
  alert: 'alert',
  invitation: 'invitation',
};

// Drops the response, because many accepted messages may wait to be recorded.
const accepted = { outcome: 'accepted' } as const;

async function attemptSend(
  send: Sender,
  { message, abort }: InFlightMessage,
  limits: SendLimits,
): Promise<SendResult> {
  const started = performance.now();
  const { signal } = abort;
  try {
    signal.throwIfAborted();
    return await send(message, signal, limits);
  } catch (error) {
    return { ...outcomeOf(error), durationMs: performance.now() - started };
  }
}

/** Sends one message and decides on the consequence. Never rejects. */
export async function sendMessage(
  entry: InFlightMessage,
  { senders, policy, onEvent, mustEndAt }: SendOptions,
): Promise<EndedAttempt> {
  const { message, abort } = entry;
  const at = new Date();
  const limits: SendLimits = {
    checkLease() {
      if (performance.now() >= mustEndAt()) abort.abort();
    },
    countedUntil: entry.beginBy === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : entry.beginBy,
  };
  const result = await attemptSend(senders[senderOf[message.kind]], entry, limits);
  const { decision, inDoubt } = decide(
    { message, result, givenUp: abort.signal.aborted },
    policy,
    Math.random(),
  );
  const { id, kind, pool, destination, bookingSystem, waiverId, version, attempts, trigger } = message;
  const { outcome, durationMs } = result;
  const status = 'status' in result ? result.status : undefined;
  const errorCode = 'errorCode' in result ? result.errorCode : undefined;
  const warnings =
    'warnings' in result && result.warnings?.length ? keptWarnings(result.warnings) : undefined;
  // The response to an accepted record may be the record itself, so it is not stored.
  const response = outcome === 'refused' || outcome === 'in-doubt' ? result.response : undefined;
  if (outcome !== 'postponed') {
    onEvent({
      type: 'attempt',
      message: { id, kind, pool, destination, bookingSystem, waiverId, version, attempts, trigger },
      result: { outcome, durationMs, status, errorCode },
      decision: decision.kind,
      retryInMs: 'waitMs' in decision ? decision.waitMs : undefined,
      error: outcome === 'own-fault' ? result.error : undefined,
    });
  }
  return {
    destination,
    result: outcome === 'accepted' ? accepted : result,
    wasFailing: message.failing,
    finished: {
      pool,
      destination,
      batch: message.batch,
      sequence: message.sequence,
      rowId: message.rowId,
      id,
      decision,
      inDoubt,
      attempt: { at, durationMs, outcome, trigger, status, errorCode, response, warnings },
    },
  };
}
