import { type BookingSystemResponse, BookingSystemUnavailable, WaiverRejected } from '@waiver-service/core';
import { objectOf, quoted, raiseForStatus, textOf } from '@waiver-service/plugin-kit';

const isOk = (status: string | undefined) => status?.toUpperCase() === 'OK';

/**
 * Why Checkfront refused a request, as part of a sentence; `undefined` if it succeeded: its `request.status` is `OK`. A
 * critical error is an object without that status, whatever the HTTP status.
 */
export function refusalIn(data: unknown): string | undefined {
  const { request, error } = objectOf(data);
  const status = textOf(objectOf(request).status);
  if (isOk(status)) return undefined;
  const { title, details, message } = objectOf(error);
  const reply = textOf(title) ?? textOf(details) ?? textOf(message) ?? textOf(error) ?? status;
  return reply === undefined ? 'without saying OK' : `saying ${quoted(reply)}`;
}

/** Throws the error for a response to a part of a write, unless Checkfront carried it out. */
export function raiseForWrite(response: BookingSystemResponse, failure: string): void {
  raiseForStatus(response, { bookingSystem: 'Checkfront', purpose: 'guest-update' });
  const refusal = refusalIn(response.data);
  if (refusal === undefined) return;
  throw new WaiverRejected(`Checkfront ${failure}, ${refusal}`, {
    retry: 'schedule',
    upstreamStatus: response.status,
    outboundErrorCode: 'not_accepted',
  });
}

/** Throws the error for a response that is not about a single booking, unless Checkfront carried it out. */
export function raiseForAccount(response: BookingSystemResponse): void {
  raiseForStatus(response, { bookingSystem: 'Checkfront', purpose: 'other' });
  const refusal = refusalIn(response.data);
  if (refusal === undefined) return;
  throw new BookingSystemUnavailable(
    `Checkfront answered with an error, ${refusal}: check the account and its key`,
    { upstreamStatus: response.status, outboundErrorCode: 'not_accepted' },
  );
}
