import type { SimulatedAnswer } from '@waiver-service/simulator';
import type { RollerBooking, RollerGuest, RollerItem, RollerTicket } from './roller-booking.ts';

const maxEntries = 20;
const maxKeyLength = 40;
const maxValueLength = 500;

/** ROLLER's refusal of a change, which names the problem. */
const refuse = (name: string, message: string, status = 409): SimulatedAnswer => ({
  status,
  body: { errors: [{ name, message }] },
});

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fieldsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);

const isTooLong = (value: unknown, max: number) => typeof value === 'string' && value.length > max;
const withoutHtml = (value: unknown) => String(value).replace(/<[^>]*>/g, '');

function refusalOf({ name, comments, metadata = {}, itemsToUpdate }: Fields): SimulatedAnswer | undefined {
  if (isTooLong(name, 128)) return refuse('Name', 'name is longer than 128 characters', 400);
  if (isTooLong(comments, 500)) return refuse('Comments', 'comments are longer than 500 characters', 400);
  const entries = Object.entries(isFields(metadata) ? metadata : {});
  if (entries.some(([key]) => key.length > maxKeyLength)) return refuse('Metadata', 'a key is too long');
  if (entries.some(([, value]) => isTooLong(value, maxValueLength)))
    return refuse('Metadata', 'a value is too long');
  const tickets = fieldsIn(itemsToUpdate).flatMap((item) => fieldsIn(item.tickets));
  if (tickets.some((ticket) => isTooLong(ticket.name, 50)))
    return refuse('Tickets', 'the name of a ticket is longer than 50 characters', 400);
  if (tickets.some((ticket) => isTooLong(ticket.customTicketId, 32)))
    return refuse('Tickets', 'a custom ticket id is longer than 32 characters', 400);
  return undefined;
}

function mergedMetadata(before: Readonly<Record<string, string>>, changes: unknown): Record<string, string> {
  const merged = { ...before };
  for (const [key, value] of Object.entries(isFields(changes) ? changes : {})) {
    if (value === null) delete merged[key];
    else merged[key] = withoutHtml(value);
  }
  return merged;
}

/** Changes a ticket: an omitted name is kept, an omitted custom id is lost. */
function changedTicket(ticket: RollerTicket, change: Fields | undefined): RollerTicket {
  if (change === undefined) return ticket;
  const { customTicketId: _former, ...kept } = ticket;
  const { name, customTicketId } = change;
  return {
    ...kept,
    ...(typeof name === 'string' && { ticketHolderName: name === '' ? null : name }),
    ...(typeof customTicketId === 'string' && customTicketId !== '' && { customTicketId }),
  };
}

function changedItem(item: RollerItem, change: Fields | undefined): RollerItem {
  if (change === undefined) return item;
  const { bookingEndDate = null } = change;
  const tickets = fieldsIn(change.tickets);
  return {
    ...item,
    bookingEndDate: bookingEndDate === null ? null : String(bookingEndDate),
    tickets: item.tickets.map((ticket) =>
      changedTicket(
        ticket,
        tickets.find(({ ticketId }) => ticketId === ticket.ticketId),
      ),
    ),
  };
}

const nameOf = (owner: RollerGuest | undefined) =>
  owner === undefined ? '' : `${owner.firstName} ${owner.lastName}`;

/**
 * Changes a booking. Omitted fields are lost where the documentation does not say otherwise: the name falls back to the
 * owner's, the comments are emptied, a changed item loses its end date and a changed ticket its custom id. Metadata is
 * merged, as documented.
 */
export function updateBooking(
  booking: RollerBooking,
  change: Fields,
  owner: RollerGuest | undefined,
): RollerBooking | SimulatedAnswer {
  if (booking.status === 'Cancelled') return refuse('Booking', 'the booking is cancelled');
  const refusal = refusalOf(change);
  if (refusal !== undefined) return refusal;
  const metadata = mergedMetadata(booking.metadata, change.metadata);
  if (Object.keys(metadata).length > maxEntries) return refuse('Metadata', 'there are more than 20 entries');
  const items = fieldsIn(change.itemsToUpdate);
  const changeOf = ({ bookingItemId }: RollerItem) =>
    items.find((item) => String(item.bookingItemId) === String(bookingItemId));
  return {
    ...booking,
    name: typeof change.name === 'string' ? change.name : nameOf(owner),
    comments: typeof change.comments === 'string' ? change.comments : null,
    metadata,
    items: booking.items.map((item) => changedItem(item, changeOf(item))),
  };
}
