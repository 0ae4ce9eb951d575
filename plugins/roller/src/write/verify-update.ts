import { type JsonObject, objectOf, Reading, textOf } from '@waiver-service/plugin-kit';
import { displayName } from '../answers.ts';
import { itemsOf } from '../read/items.ts';
import { type BookingUpdate, holderOf, placedTicketsOf } from './booking-update.ts';

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
      value.sessionStartTime,
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

/**
 * Compares the booking after a change with the change that was sent, and warns of each part that was not stored.
 * Returns why the waiver counts as not written; `undefined` if at least a part of it was stored.
 */
export function verifyUpdate(
  reading: Reading,
  update: BookingUpdate,
  before: JsonObject,
  after: JsonObject,
): string | undefined {
  const warn = (path: string, message: string) => reading.warn('waiver_partly_written', path, message);
  const { key, entry, named } = update;
  const stored = objectOf(after.metadata)[key];
  if (entry === null && stored !== undefined && stored !== null) {
    return `${displayName} took the change and left the waiver’s entry in the booking’s metadata (${key})`;
  }
  const ticket = placedTicketsOf(after).find(({ id }) => id === named?.ticketId)?.ticket;
  const isNameLost = named !== undefined && holderOf(objectOf(ticket)) !== textOf(named.name);
  const isMissing = textOf(stored) === undefined;
  // An entry that is neither the previous nor the sent one was altered on the way.
  const isFormer = stored !== entry && stored === objectOf(before.metadata)[key];
  const isEntryLost = typeof entry === 'string' && (isMissing || isFormer);
  const isNameStored = named !== undefined && !isNameLost;
  if (isEntryLost && !isNameStored) {
    if (!isMissing) {
      return `${displayName} took the change and still shows the former entry ${key} in the booking’s metadata: note the waiver in the booking by hand`;
    }
    return `${displayName} took the change and kept nothing of it: note the waiver in the booking by hand`;
  }
  if (isEntryLost) warn('metadata', `${displayName} did not keep the entry ${key} in the booking’s metadata`);
  else if (typeof entry === 'string' && stored !== entry) {
    warn('metadata', `${displayName} stored the entry ${key} in other words`);
  }
  if (isNameLost) warn('items', `${displayName} did not keep the name of ticket ${named.ticketId}`);
  for (const part of unintendedChanges(before, after, update)) {
    warn(part, `the booking’s ${part} changed with it: compare them in ROLLER`);
  }
  return undefined;
}
