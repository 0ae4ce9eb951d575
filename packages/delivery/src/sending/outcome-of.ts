import {
  type BookingSystemError,
  isBodyRejected,
  isBookingSystemError,
  type RejectionRetry,
  requestedWaitMs,
} from '@waiver-service/core';
import type { InDoubt, OwnFault, Postponed, Refused, Untimed } from './send-result.ts';

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
