import {
  type BookingSystemResponse,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
} from '@waiver-service/core';
import {
  bookingSegment,
  type JsonObject,
  objectOf,
  quoted,
  Reading,
  requireOwnId,
  textOf,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { displayName, raiseForRoller, vendorMessageOf } from './answers.ts';
import { itemsOf, startOf } from './read/items.ts';
import { readHead } from './read.ts';
import { putBooking, requestBooking } from './requests.ts';
import {
  type BookingUpdate,
  holderOf,
  metadataOf,
  placedTicketsOf,
  planUpdate,
} from './write/booking-update.ts';

/** The parts of a booking that a change for a waiver must leave as they are. */
function watchedParts(booking: JsonObject, { named, key }: BookingUpdate): JsonObject {
  const { [key]: _own, ...metadata } = objectOf(booking.metadata);
  return {
    name: textOf(booking.name),
    comments: textOf(booking.comments),
    status: booking.status,
    metadata,
    items: itemsOf(new Reading(), booking.items).map(({ value }) => [
      value.bookingItemId,
      value.productId,
      value.quantity,
      value.bookingDate,
      value.bookingEndDate,
      startOf(value).time,
    ]),
    tickets: placedTicketsOf(booking).map(({ id, ticket }) => [
      id,
      ticket.customTicketId,
      id === named?.ticketId ? undefined : holderOf(ticket),
    ]),
  };
}

/** The names of the parts of a booking that changed unintentionally. */
function unintendedChanges(before: JsonObject, after: JsonObject, update: BookingUpdate): string[] {
  const was = watchedParts(before, update);
  const is = watchedParts(after, update);
  return Object.keys(was).filter((part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]));
}

/** Why an entry counts as not removed; `undefined` if it is certainly gone. */
function reasonNotRemoved(metadata: JsonObject | undefined, key: string): string | undefined {
  if (metadata === undefined) {
    return `${displayName} took the change and does not show the booking’s metadata, so the removal of the waiver’s entry (${key}) could not be verified: look whether it is gone`;
  }
  if (metadata[key] === undefined || metadata[key] === null) return undefined;
  return `${displayName} took the change and left the waiver’s entry in the booking’s metadata (${key})`;
}

/**
 * Compares the booking after a change with the change that was sent, and warns of each part that was not stored.
 * Returns why the waiver counts as not written; `undefined` if at least a part of it was stored. If the
 * booking does not show its metadata, a confirmed entry counts as there, whether it was to be added or removed.
 */
function verifyUpdate(
  reading: Reading,
  update: BookingUpdate,
  before: JsonObject,
  after: JsonObject,
): string | undefined {
  const warn = (path: string, message: string) => reading.warn('waiver_partly_written', path, message);
  const { key, entry, named } = update;
  const metadata = metadataOf(after);
  const reason = entry === null ? reasonNotRemoved(metadata, key) : undefined;
  if (reason !== undefined) return reason;
  const stored = metadata?.[key];
  const ticket = placedTicketsOf(after).find(({ id }) => id === named?.ticketId)?.ticket;
  const isNameLost = named !== undefined && holderOf(objectOf(ticket)) !== textOf(named.name);
  const isMissing = textOf(stored) === undefined;
  // An entry that is neither the previous nor the sent one was altered on the way.
  const isFormer = stored !== entry && stored === objectOf(before.metadata)[key];
  const isEntryLost = typeof entry === 'string' && metadata !== undefined && (isMissing || isFormer);
  const isNameStored = named !== undefined && !isNameLost;
  if (isEntryLost && !isNameStored) {
    if (!isMissing) {
      return `${displayName} took the change and still shows the former entry ${key} in the booking’s metadata: note the waiver in the booking by hand`;
    }
    return `${displayName} took the change and kept nothing of it: note the waiver in the booking by hand`;
  }
  if (isEntryLost) warn('metadata', `${displayName} did not keep the entry ${key} in the booking’s metadata`);
  else if (typeof entry === 'string' && metadata === undefined) {
    const message = `${displayName} took the change and does not show the booking’s metadata: whether it kept the entry ${key} could not be verified`;
    warn('metadata', message);
  } else if (typeof entry === 'string' && stored !== entry) {
    warn('metadata', `${displayName} stored the entry ${key} in other words`);
  }
  if (isNameLost) warn('items', `${displayName} did not keep the name of ticket ${named.ticketId}`);
  for (const part of unintendedChanges(before, after, update)) {
    warn(part, `the booking’s ${part} changed with it: compare them in ROLLER`);
  }
  return undefined;
}

/** Throws the error for the response to a change; a 2xx passes. A 409 names the refused part. */
function raiseForUpdate(response: BookingSystemResponse): void {
  const { status } = response;
  if (status === 409) {
    throw new WaiverRejected(
      `${displayName} did not take the waiver (status 409), saying ${quoted(vendorMessageOf(response))}`,
      { retry: 'three-attempts', upstreamStatus: status, outboundErrorCode: 'http_status' },
    );
  }
  raiseForRoller(response, { purpose: 'guest-update' });
}

/** A booking to write to, or to verify: without its head, an answer is not a booking, and shows nothing about one. */
async function requestOwnBooking(context: Context, bookingId: string) {
  const booking = await requestBooking(context, bookingId);
  return { booking, id: readHead(booking).id };
}

/**
 * Writes one waiver by a GET and a PUT: an entry in the booking's metadata, and the holder's name on a ticket that has none.
 * Then reads the booking again, because ROLLER answers without a body.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // Rejects an invalid id without retry; an id that ROLLER does not know is retried.
  bookingSegment(waiver.bookingId, 'guest-update');
  const { booking: before, id } = await requestOwnBooking(context, waiver.bookingId);
  // Only a read accepts a booking's reference in place of its unique id.
  requireOwnId(waiver, id);
  const reading = new Reading();
  const notWritten = (reason: string): PushedWaiver => ({
    accepted: false,
    reason,
    warnings: reading.warnings,
  });
  const update = planUpdate(reading, before, waiver);
  if (update.obstacle !== undefined) {
    return notWritten(`${update.obstacle}: note the waiver in the booking by hand`);
  }
  if (update.body === undefined) return { accepted: true, warnings: reading.warnings };
  const response = await putBooking(context, waiver.bookingId, update.body);
  // The read before shows that the key is valid: this booking is not ours to change.
  if (response.status === 403) {
    const reply = vendorMessageOf(response);
    return notWritten(
      `${displayName} does not let this booking be changed${reply === '' ? '' : `, saying ${quoted(reply)}`}: note the waiver in it by hand`,
    );
  }
  raiseForUpdate(response);
  const { booking: after } = await requestOwnBooking(context, waiver.bookingId);
  const reason = verifyUpdate(reading, update, before, after);
  return reason === undefined ? { accepted: true, warnings: reading.warnings } : notWritten(reason);
}
