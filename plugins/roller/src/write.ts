import { createHash } from 'node:crypto';
import {
  type BookingSystemResponse,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
} from '@waiver-service/core';
import {
  bookingSegment,
  findGuest,
  isJsonObject,
  type JsonObject,
  noteLineOf,
  objectOf,
  percentEncode,
  quoted,
  Reading,
  requireOwnId,
  sharedNameOf,
  textOf,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { displayName, raiseForRoller, vendorMessageOf } from './answers.ts';
import { itemsOf, startOf, ticketsOf } from './read/items.ts';
import { readHead } from './read.ts';
import { putBooking, requestBooking } from './requests.ts';

// ROLLER's documented limits.
const maxEntries = 20;
const maxKeyLength = 40;
const maxValueLength = 500;
const maxNameLength = 128;
const maxCommentsLength = 500;
const maxTicketNameLength = 50;

/** A change to a booking for one waiver. */
interface BookingUpdate {
  /** The key of the waiver's entry in the booking's metadata. */
  readonly key: string;
  /** The entry to write; `null` to remove it, `undefined` to leave it as it is. */
  readonly entry: string | null | undefined;
  /** The ticket that gets a holder's name. */
  readonly named: { readonly ticketId: string; readonly name: string } | undefined;
  /** The body of the `PUT`; `undefined` if there is nothing to change. */
  readonly body: JsonObject | undefined;
  /** Why nothing can be written; `undefined` if something can, or if there is nothing to write. */
  readonly obstacle: string | undefined;
}

const prefix = 'waiver-';

/** The key of a waiver's entry: its id, or a hash of an id that is too long for a key. */
function keyOf({ id }: Waiver): string {
  const encoded = percentEncode(id);
  if (prefix.length + encoded.length <= maxKeyLength) return `${prefix}${encoded}`;
  const digest = createHash('sha256').update(id).digest('hex');
  return `${prefix}${digest.slice(0, maxKeyLength - prefix.length)}`;
}

/**
 * The metadata of a booking; empty if it has none, which ROLLER documents to omit. `undefined` if the booking shows it in
 * an undocumented form: then its entries are unknown.
 */
function metadataOf({ metadata = {} }: JsonObject): JsonObject | undefined {
  return isJsonObject(metadata) ? metadata : undefined;
}

type Warn = (message: string) => void;

/** The waiver's line as ROLLER can store it: without HTML brackets, and cut to the maximum length. */
function entryFor(warn: Warn, waiver: Waiver): string {
  const line = noteLineOf(waiver).replaceAll('<', '‹').replaceAll('>', '›');
  if (line.length <= maxValueLength) return line;
  warn(`the answers are longer than ROLLER’s ${maxValueLength} characters: the rest is left out`);
  // A cut must not leave half a surrogate pair.
  return `${line.slice(0, maxValueLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A ticket, and the item that it belongs to. */
interface PlacedTicket {
  readonly id: string | undefined;
  readonly ticket: JsonObject;
  readonly item: JsonObject;
}

function placedTicketsOf({ items }: JsonObject): PlacedTicket[] {
  return itemsOf(new Reading(), items).flatMap(({ value: item }) =>
    ticketsOf(item).map((ticket) => ({ id: textOf(ticket.ticketId), ticket, item })),
  );
}

/** The holder's name on a ticket. */
const holderOf = ({ ticketHolderName, name }: JsonObject): string | undefined =>
  textOf(ticketHolderName) ?? textOf(name);

/**
 * The item with a name for one ticket. Fields that the documentation does not promise to survive if omitted are sent as
 * read.
 */
function itemWithName({ id, ticket, item }: PlacedTicket, name: string): JsonObject {
  const customTicketId = textOf(ticket.customTicketId);
  const bookingEndDate = textOf(item.bookingEndDate)?.replace(/T.*$/, '');
  return {
    bookingItemId: textOf(item.bookingItemId),
    ...(bookingEndDate === undefined ? {} : { bookingEndDate }),
    tickets: [{ ticketId: id, ...(customTicketId === undefined ? {} : { customTicketId }), name }],
  };
}

/** The ticket to name; `undefined` if it has a name, or if the installation shares none. */
function ticketToName(reading: Reading, warn: Warn, booking: JsonObject, waiver: Waiver) {
  if (waiver.deleted) return undefined;
  const placed = findGuest(reading, placedTicketsOf(booking), waiver);
  const name = sharedNameOf(waiver);
  if (placed?.id === undefined || name === undefined || holderOf(placed.ticket) !== undefined)
    return undefined;
  if (name.length > maxTicketNameLength) {
    warn(`the name is longer than the ${maxTicketNameLength} characters of a ticket: it stays without one`);
    return undefined;
  }
  return { ticketId: placed.id, name, item: itemWithName(placed, name) };
}

/** Texts that a change sends back as read: ROLLER does not document whether it may omit them. */
function keptTexts({ name, comments }: JsonObject): { name?: string; comments?: string } {
  return {
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(typeof comments === 'string' && comments !== '' && { comments }),
  };
}

function reasonNotToKeep(booking: JsonObject): string | undefined {
  const { name = '', comments = '' } = keptTexts(booking);
  const reason = (what: string, max: number) =>
    `the booking’s ${what} longer than the ${max} characters that ROLLER takes back: a change could cut it off`;
  if (name.length > maxNameLength) return reason('name is', maxNameLength);
  return comments.length > maxCommentsLength ? reason('comments are', maxCommentsLength) : undefined;
}

/** Why a booking's metadata has no room for this key; `undefined` if it has. */
function reasonNotToAdd(metadata: JsonObject, key: string): string | undefined {
  if (Object.hasOwn(metadata, key) || Object.keys(metadata).length < maxEntries) return undefined;
  return `the booking’s metadata has ${maxEntries} entries already, which is all that ROLLER keeps`;
}

/** The entry to write. A void is sent unless there is certainly nothing to remove. */
function entryToWrite(
  warn: Warn,
  metadata: JsonObject | undefined,
  key: string,
  waiver: Waiver,
): string | null | undefined {
  if (waiver.deleted) return metadata === undefined || Object.hasOwn(metadata, key) ? null : undefined;
  const entry = entryFor(warn, waiver);
  return metadata?.[key] === entry ? undefined : entry;
}

/** Plans the change to a booking for one waiver. Adds a warning for each part that will not be written. */
function planUpdate(reading: Reading, booking: JsonObject, waiver: Waiver): BookingUpdate {
  const warn = (message: string) => reading.warn('waiver_partly_written', 'metadata', message);
  const key = keyOf(waiver);
  const metadata = metadataOf(booking);
  const wanted = entryToWrite(warn, metadata, key, waiver);
  const noRoom = typeof wanted === 'string' ? reasonNotToAdd(metadata ?? {}, key) : undefined;
  const entry = noRoom === undefined ? wanted : undefined;
  const named = ticketToName(reading, warn, booking, waiver);
  const changes = {
    ...(entry !== undefined && { metadata: { [key]: entry } }),
    ...(named && { itemsToUpdate: [named.item] }),
  };
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged && noRoom !== undefined) warn(`${noRoom}: only the ticket’s name mentions the waiver`);
  return {
    key,
    entry,
    named,
    body: isChanged ? { ...keptTexts(booking), ...changes } : undefined,
    obstacle: isChanged ? reasonNotToKeep(booking) : noRoom,
  };
}

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
