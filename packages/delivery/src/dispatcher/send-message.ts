import type { Warning } from '@waiver-service/core';
import type { ClaimedDelivery, DeliveryDecision, DestinationKind } from '@waiver-service/outbox';
import { type DeliveryPolicy, decide } from '../policy/decide.ts';
import { outcomeOf, type Sender, type SendLimits, type SendResult } from '../sending/send-result.ts';
import type { EndedAttempt, InFlightMessage } from './in-flight.ts';

const maxWarnings = 50;
const maxMessageLength = 500;
const maxPathLength = 200;
const maxBytes = 16_384;

const cut = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

const leftOut = (count: number): Warning => ({
  code: 'warnings_left_out',
  message: `${count} more ${count === 1 ? 'warning is' : 'warnings are'} not kept`,
});

/**
 * Limits the stored warnings of an attempt to 50 and 16 KiB in total, each shortened if necessary. The last one states
 * how many were omitted.
 */
export function keptWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const kept: Warning[] = [];
  let bytes = Buffer.byteLength(JSON.stringify([leftOut(warnings.length)]));
  for (const { code, path, message } of warnings) {
    const warning = {
      code,
      ...(path === undefined ? {} : { path: cut(path, maxPathLength) }),
      message: cut(message, maxMessageLength),
    };
    bytes += Buffer.byteLength(JSON.stringify(warning)) + 1;
    // One place is reserved for the number of omitted warnings.
    const isFull = kept.length + 1 === maxWarnings && warnings.length > maxWarnings;
    if (isFull || bytes > maxBytes) return [...kept, leftOut(warnings.length - kept.length)];
    kept.push(warning);
  }
  return kept;
}

/** The message of an attempt, without its body. */
type AttemptedMessage = Pick<
  ClaimedDelivery,
  'id' | 'kind' | 'pool' | 'destination' | 'bookingSystem' | 'waiverId' | 'version' | 'attempts' | 'trigger'
>;

/** The result of an attempt, without the response. */
interface AttemptResult extends Pick<SendResult, 'outcome' | 'durationMs'> {
  readonly status: number | undefined;
  readonly errorCode: string | undefined;
}

/** An event of a dispatcher, for logs and metrics. Contains no secret and no body. */
export type DispatcherEvent =
  /** An attempt has ended. */
  | {
      readonly type: 'attempt';
      readonly message: AttemptedMessage;
      readonly result: AttemptResult;
      readonly decision: DeliveryDecision['kind'];
      /** How long until the next attempt, if there is one. */
      readonly retryInMs?: number | undefined;
      /** Present if the service itself failed. */
      readonly error?: unknown;
    }
  | { readonly type: 'paused' | 'resumed'; readonly destination: string }
  /** Messages claimed by lost processes were taken over. */
  | { readonly type: 'reclaimed'; readonly messages: number }
  /** This process's lease expired: another process has taken over its messages. */
  | { readonly type: 'leases-lost'; readonly messages: number }
  /** The lease could not be renewed in time: these sends were aborted. */
  | { readonly type: 'leases-unrenewed'; readonly messages: number }
  /** The database rejected the record of an attempt; the message will be sent again. */
  | {
      readonly type: 'unrecorded';
      readonly delivery: string;
      readonly pool: string;
      readonly error: unknown;
    }
  /** Something failed and is retried: usually the database. */
  | {
      readonly type: 'fault';
      /** Completes "the dispatcher failed while …". */
      readonly doing:
        | 'claiming messages'
        | 'returning messages'
        | 'recording attempts'
        | 'renewing its lease'
        | 'pruning attempts';
      readonly error: unknown;
    };

/** Receives all events of a dispatcher. Must not throw. */
export type DispatcherListener = (event: DispatcherEvent) => void;

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
