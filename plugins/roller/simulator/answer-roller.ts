import type { IssuedTokens, ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import type { RollerBooking, RollerGuest, RollerItem, RollerTicket } from './roller-booking.ts';
import type { RollerWebhooks } from './roller-webhooks.ts';

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
function updateBooking(
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

/** The credentials of one venue's API key. */
export interface RollerCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The routes for which faults can be planned. */
export type RollerRoute = 'token' | 'read' | 'update' | 'guest' | 'venue' | 'products' | 'webhooks';

/** The state of a simulated venue. */
interface RollerState {
  readonly bookings: Map<string, RollerBooking>;
  readonly guests: Readonly<Record<string, RollerGuest>>;
  readonly venue: unknown;
  readonly products: readonly { readonly type: string }[];
  readonly webhooks: RollerWebhooks;
  /** Whether only bookings created by the API can be changed by it. */
  readonly isOnlyOwnChanged: boolean;
  keeps(changed: RollerBooking, former: RollerBooking): RollerBooking;
  shows(booking: Omit<RollerBooking, 'metadata'>): unknown;
}

const routes: readonly (readonly [string, RegExp, RollerRoute])[] = [
  ['POST', /^\/token$/, 'token'],
  ['GET', /^\/bookings\/[^/?]+$/, 'read'],
  ['PUT', /^\/bookings\/[^/?]+$/, 'update'],
  ['GET', /^\/guests\/[^/?]+$/, 'guest'],
  ['GET', /^\/venues\/me$/, 'venue'],
  ['GET', /^\/products$/, 'products'],
  ['GET', /^\/webhooks$/, 'webhooks'],
  ['POST', /^\/webhooks$/, 'webhooks'],
  ['DELETE', /^\/webhooks\/\d+$/, 'webhooks'],
];

const pathOf = (path: string) => path.replace(/\?.*$/, '');

export const routeOfRoller = (method: string, path: string): RollerRoute | 'other' =>
  routes.find(([verb, pattern]) => verb === method && pattern.test(pathOf(path)))?.[2] ?? 'other';

const say = (status: number, text: string): SimulatedAnswer => ({ status, body: text });

function parsed(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function issueToken(
  request: ReceivedRequest,
  { clientId, clientSecret }: RollerCredentials,
  tokens: IssuedTokens,
): SimulatedAnswer {
  const { client_id: id, client_secret: secret } = parsed(request.body) ?? {};
  if (id !== clientId || secret !== clientSecret) return say(401, 'Invalid client credentials');
  const { lifetimeSeconds } = tokens;
  return {
    status: 200,
    body: { access_token: tokens.issue(), token_type: 'Bearer', expires_in: lifetimeSeconds },
  };
}

const passTypes: readonly string[] = ['pass', 'sessionpass', 'membership', 'recurringpass'];

function productsFor(path: string, { products }: RollerState): SimulatedAnswer {
  const type = new URLSearchParams(path.replace(/^[^?]*/, '')).get('productType');
  const isWanted = (product: { readonly type: string }) =>
    type === null || (type === 'Pass' && passTypes.includes(product.type));
  return { status: 200, body: products.filter(isWanted) };
}

function change(request: ReceivedRequest, id: string, state: RollerState): SimulatedAnswer {
  // Unlike a read, a change does not accept the reference.
  const booking = state.bookings.get(id);
  if (booking === undefined) return say(404, 'Booking not found');
  if (state.isOnlyOwnChanged && booking.channel !== 'Api')
    return say(403, "You can only update bookings you've made via the API");
  const body = parsed(request.body);
  if (body === undefined) return say(400, 'The body is not an object of JSON');
  const changed = updateBooking(booking, body, state.guests[String(booking.customerId)]);
  if (!('uniqueId' in changed)) return changed;
  state.bookings.set(id, state.keeps(changed, booking));
  return { status: 200, body: '' };
}

/** A booking as a read shows it: without metadata if none is stored. */
function shown({ metadata, ...booking }: RollerBooking): Omit<RollerBooking, 'metadata'> {
  return Object.keys(metadata).length === 0 ? booking : { ...booking, metadata };
}

/** Answers a request as ROLLER documents it. */
export function answerRoller(
  request: ReceivedRequest<RollerRoute>,
  state: RollerState,
  credentials: RollerCredentials,
  tokens: IssuedTokens,
): SimulatedAnswer {
  const { route, path, headers } = request;
  if (request.body.length > 0 && !/^application\/json\b/i.test(headers['content-type'] ?? ''))
    return say(415, 'Unsupported Media Type');
  if (!/\bapplication\/json\b/i.test(headers.accept ?? '')) return say(406, 'Not Acceptable');
  if (route === 'token') return issueToken(request, credentials, tokens);
  if (!tokens.accepts(headers)) return say(401, 'Unauthorized');
  const id = decodeURIComponent(pathOf(path).split('/').at(-1) ?? '');
  switch (route) {
    case 'read': {
      const byReference = [...state.bookings.values()].find(
        ({ bookingReference }) => bookingReference === id,
      );
      const booking = state.bookings.get(id) ?? byReference;
      return booking === undefined
        ? say(404, 'Booking not found')
        : { status: 200, body: state.shows(shown(booking)) };
    }
    case 'update':
      return change(request, id, state);
    case 'guest': {
      const guest = state.guests[id];
      return guest === undefined ? say(404, 'Guest does not exist') : { status: 200, body: guest };
    }
    case 'venue':
      return { status: 200, body: state.venue };
    case 'products':
      return productsFor(path, state);
    case 'webhooks':
      return state.webhooks.answer(request.method, Number(id), parsed(request.body));
    default:
      return say(404, 'Not Found');
  }
}
