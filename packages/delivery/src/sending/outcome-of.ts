import { type BookingSystemError, isBookingSystemError, type RejectionRetry } from '@waiver-service/core';
import type { InDoubt, OwnFault, Postponed, Refused, Untimed } from './send-result.ts';
import { retryAfterStatus } from './status-retry.ts';

const gone = 410;

// By its fields, not by its class: a plugin from outside may bring its own copy of core.
function retryOf(error: BookingSystemError): RejectionRetry {
  const said = 'retry' in error ? error.retry : undefined;
  if (said === 'never' || said === 'three-attempts' || said === 'schedule') return said;
  return error.upstreamStatus === gone ? 'never' : retryAfterStatus(error.upstreamStatus);
}

function errorCodeOf({ outboundErrorCode, upstreamStatus }: BookingSystemError): string | undefined {
  if (outboundErrorCode !== undefined) return outboundErrorCode;
  if (upstreamStatus === undefined) return undefined;
  return upstreamStatus >= 200 && upstreamStatus < 300 ? 'not_accepted' : 'http_status';
}

// An operator has still to set the booking system up: no attempt of the booking system's is used up meanwhile.
const speaksOfPartner = (error: unknown): error is BookingSystemError =>
  isBookingSystemError(error) && error.code !== 'booking_system_not_configured';

/**
 * The outcome of an attempt that ended with an error. Core's errors speak of the partner, but for one that nobody has
 * configured yet and a request that was held back; anything else is a fault of ours. Neither uses up attempts.
 */
export function outcomeOf(error: unknown): Untimed<Refused | InDoubt | OwnFault | Postponed> {
  if (!speaksOfPartner(error)) return { outcome: 'own-fault', error };
  const retryAfterMs =
    'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
  if ('notSent' in error && error.notSent === true)
    return { outcome: 'postponed', waitMs: retryAfterMs ?? 0 };
  const errorCode = errorCodeOf(error);
  return {
    outcome: error.inDoubt ? 'in-doubt' : 'refused',
    retry: retryOf(error),
    ...(error.upstreamStatus === undefined ? {} : { status: error.upstreamStatus }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
