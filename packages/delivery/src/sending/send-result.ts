import {
  type BookingSystemError,
  isBodyRejected,
  isBookingSystemError,
  type RejectionRetry,
  requestedWaitMs,
  type Warning,
} from '@waiver-service/core';
import type { OutboundMessage } from '@waiver-service/outbox';

/** The receiver accepted the message. */
export interface Accepted {
  readonly outcome: 'accepted';
  readonly durationMs: number;
  readonly status?: number | undefined;
  /** The first 4 KiB of the response; shown when a webhook is tested, never stored. */
  readonly response?: string | undefined;
  /** The parts that were not written. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** The booking system has no place for any part of the waiver. */
interface NothingWritten {
  readonly outcome: 'nothing-written';
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
}

interface Failed {
  readonly durationMs: number;
  readonly status?: number | undefined;
  /** One of core's `outboundErrorCodes`, if applicable. */
  readonly errorCode?: string | undefined;
  /** Whether and how often to retry. */
  readonly retry: RejectionRetry;
  /** The `Retry-After` of the response, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the response, whatever its status, asked for fewer requests. */
  readonly throttled?: boolean;
  /** The first 4 KiB of the response. */
  readonly response?: string | undefined;
}

/** The message was certainly not accepted. */
export interface Refused extends Failed {
  readonly outcome: 'refused';
  /** The receiver says that it is gone: its destination is paused, and the messages are kept. */
  readonly gone?: boolean;
}

/** The message may have arrived although there was no response. */
export interface InDoubt extends Failed {
  readonly outcome: 'in-doubt';
}

/** The service itself failed, usually before anything was sent. */
export interface OwnFault {
  readonly outcome: 'own-fault';
  readonly durationMs: number;
  readonly error: unknown;
}

/**
 * Not attempted, to be sent later: the booking system's limits left no request for it, or it must be sent under its
 * booking's own id.
 */
export interface Postponed {
  readonly outcome: 'postponed';
  readonly durationMs: number;
  /** Milliseconds to wait. */
  readonly waitMs: number;
  /** The booking's own id, whose lane it moves to. */
  readonly bookingId?: string;
}

/** The outcome of one attempt to send. */
export type SendResult = Accepted | NothingWritten | Refused | InDoubt | OwnFault | Postponed;

/** The limits of one attempt, for a sender that makes several requests. */
export interface SendLimits {
  /** Call it between requests: aborts the signal if the lease is over but its timer has not fired yet. */
  checkLease(): void;
  /** A first request made before this time, by `performance.now()`, is already counted. */
  readonly countedUntil: number;
}

/** A {@link SendResult} whose duration is not known yet. */
export type Untimed<Result extends SendResult> = Result extends SendResult
  ? Omit<Result, 'durationMs'>
  : never;

/**
 * Sends one message. A failure is a result; a rejection is judged by {@link outcomeOf}. When the signal aborts, the
 * send should end soon.
 */
export type Sender = (
  message: OutboundMessage,
  signal: AbortSignal,
  limits?: SendLimits,
) => Promise<Exclude<SendResult, OwnFault>>;

const gone = 410;

/** Whether and how often to retry after a response with this status. */
export const retryOfStatus = (status: number | undefined): RejectionRetry =>
  status !== undefined && isBodyRejected(status) ? 'three-attempts' : 'schedule';

const isThrottled = ({ code }: BookingSystemError) => code === 'booking_system_rate_limited';

// By its fields, not by its class, because an external plugin may have its own copy of core.
function retryOf(error: BookingSystemError): RejectionRetry {
  const retry = 'retry' in error ? error.retry : undefined;
  if (retry === 'never' || retry === 'three-attempts' || retry === 'schedule') return retry;
  if (error.code === 'booking_system_auth_rejected' || isThrottled(error)) return 'schedule';
  return error.upstreamStatus === gone ? 'never' : retryOfStatus(error.upstreamStatus);
}

function errorCodeOf({ outboundErrorCode, upstreamStatus }: BookingSystemError): string | undefined {
  if (outboundErrorCode !== undefined) return outboundErrorCode;
  if (upstreamStatus === undefined) return undefined;
  return upstreamStatus >= 200 && upstreamStatus < 300 ? 'not_accepted' : 'http_status';
}

// A booking system that is not configured yet must not use up attempts.
const speaksOfPartner = (error: unknown): error is BookingSystemError =>
  isBookingSystemError(error) && error.code !== 'booking_system_not_configured';

/**
 * The outcome of an attempt that ended with an error. Core's errors concern the partner, except for a missing
 * configuration and a request that was held back; anything else is a fault of ours. Neither uses up attempts.
 */
export function outcomeOf(error: unknown): Untimed<Refused | InDoubt | OwnFault | Postponed> {
  if (!speaksOfPartner(error)) return { outcome: 'own-fault', error };
  const retryAfterMs = requestedWaitMs(error);
  if ('notSent' in error && error.notSent === true)
    return { outcome: 'postponed', waitMs: retryAfterMs ?? 0 };
  const errorCode = errorCodeOf(error);
  return {
    outcome: error.inDoubt ? 'in-doubt' : 'refused',
    retry: retryOf(error),
    ...(error.upstreamStatus === undefined ? {} : { status: error.upstreamStatus }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(isThrottled(error) ? { throttled: true } : {}),
  };
}
