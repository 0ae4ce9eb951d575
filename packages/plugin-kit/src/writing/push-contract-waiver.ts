import {
  type BookingSystemContext,
  type BookingSystemManifest,
  type BookingSystemResponse,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
} from '@waiver-service/core';
import { raiseForFailure } from '../answers/raise-for-status.ts';
import { isJsonObject, quoted } from '../reading/json.ts';
import { guestUpdatePath } from './guest-update-path.ts';

type Told = Pick<BookingSystemManifest, 'displayName' | 'guestId'>;

// The same body will be refused again: it is malformed, too large or of the wrong kind for this system.
const refusesTheBody = new Set([400, 413, 415, 422]);

function notAccepted(
  told: Told,
  response: BookingSystemResponse,
  redact: (text: string) => string,
): WaiverRejected {
  const { data, status } = response;
  const reason = isJsonObject(data) && typeof data.message === 'string' ? data.message : undefined;
  const said = reason === undefined ? 'without saying why' : `saying ${quoted(redact(reason))}`;
  return new WaiverRejected(`${told.displayName} did not take the waiver, ${said}`, {
    retry: 'schedule',
    upstreamStatus: status,
    outboundErrorCode: 'not_accepted',
  });
}

function refused(told: Told, status: number): WaiverRejected {
  const details = { upstreamStatus: status, outboundErrorCode: 'http_status' as const };
  return status === 410
    ? new WaiverRejected(`${told.displayName} will not take this waiver any more (status 410)`, {
        ...details,
        retry: 'never',
      })
    : new WaiverRejected(`${told.displayName} refused the waiver as it is (status ${status})`, {
        ...details,
        retry: 'three-tries',
      });
}

/** Writes one waiver to a system that follows the contract (4.2): Guest Update. `redact` takes the account's secrets out of a text. */
export async function pushContractWaiver(
  told: Told,
  context: BookingSystemContext,
  waiver: Waiver,
  redact: (text: string) => string,
): Promise<PushedWaiver> {
  const { bookingId, bookingGuestId } = waiver;
  const response = await context.http.post(guestUpdatePath(told, waiver), JSON.stringify({ waiver }), {
    headers: { 'Content-Type': 'application/json' },
    params: { bookingId, bookingGuestId },
  });
  const { status, data } = response;
  if (status === 410 || refusesTheBody.has(status)) throw refused(told, status);
  if (status < 200 || status >= 300) raiseForFailure(response, told.displayName);
  if (isJsonObject(data) && data.success === false) throw notAccepted(told, response, redact);
  return { accepted: true, warnings: [] };
}
