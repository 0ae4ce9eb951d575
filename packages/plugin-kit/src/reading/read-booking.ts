import { type FetchedBooking, InvalidBookingResponse } from '@waiver-service/core';
import { readCurrentBooking } from '../current/read-current-booking.ts';
import { readLegacyBooking } from '../legacy/read-legacy-booking.ts';
import {
  expectObject,
  isJsonObject,
  isPresent,
  type JsonObject,
  quoted,
  warningsOfLostCharacters,
} from './json.ts';

/** Detects which of the contract's forms a body has; `undefined` for neither. */
export function detectForm(body: unknown): 'current' | 'legacy' | undefined {
  if (!isJsonObject(body)) return undefined;
  if (isPresent(body.bookedSessions)) return 'current';
  return isPresent(body.activities) || isPresent(body.startsAt) ? 'legacy' : undefined;
}

function neitherForm(body: JsonObject): InvalidBookingResponse {
  const names = Object.keys(body);
  const listed = names
    .slice(0, 20)
    .map((name) => `${quoted(name)}${body[name] === null ? ' (null)' : ''}`)
    .join(', ');
  const found = names.length === 0 ? 'no fields at all' : names.length > 20 ? `${listed}, …` : listed;
  return new InvalidBookingResponse(
    'the answer is not a booking: it has neither bookedSessions (current form) nor activities or startsAt ' +
      `(legacy form); what it has is ${found}`,
  );
}

/** Reads a booking in either of the contract's two forms. Throws InvalidBookingResponse. */
export function readBooking(body: unknown): FetchedBooking {
  const answer = expectObject(body);
  const form = detectForm(answer);
  if (form === undefined) throw neitherForm(answer);
  const fetched = form === 'current' ? readCurrentBooking(answer) : readLegacyBooking(answer);
  const lost = warningsOfLostCharacters(fetched.booking);
  return lost.length === 0 ? fetched : { ...fetched, warnings: [...fetched.warnings, ...lost] };
}
