import { createHash } from 'node:crypto';
import type { Waiver } from '@waiver-service/core';
import {
  findGuest,
  isJsonObject,
  type JsonObject,
  noteLineOf,
  percentEncode,
  Reading,
  sharedNameOf,
  textOf,
} from '@waiver-service/plugin-kit';
import { itemsOf, ticketsOf } from '../read/items.ts';

// ROLLER's documented limits.
const maxEntries = 20;
const maxKeyLength = 40;
const maxValueLength = 500;
const maxNameLength = 128;
const maxCommentsLength = 500;
const maxTicketNameLength = 50;

/** A change to a booking for one waiver. */
export interface BookingUpdate {
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
export function metadataOf({ metadata = {} }: JsonObject): JsonObject | undefined {
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

export function placedTicketsOf({ items }: JsonObject): PlacedTicket[] {
  return itemsOf(new Reading(), items).flatMap(({ value: item }) =>
    ticketsOf(item).map((ticket) => ({ id: textOf(ticket.ticketId), ticket, item })),
  );
}

/** The holder's name on a ticket. */
export const holderOf = ({ ticketHolderName, name }: JsonObject): string | undefined =>
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
export function planUpdate(reading: Reading, booking: JsonObject, waiver: Waiver): BookingUpdate {
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
