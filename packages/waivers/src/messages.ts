import { waiverFieldNames, webhookGuestFieldNames } from '@waiver-service/core';
import type { Answers, JsonValue, WaiverRecord } from './waiver.ts';

/** The kind of messages that a destination receives. */
export type DestinationKind = 'guest-update' | 'guest-webhook';

type Fields = Readonly<Record<string, JsonValue>>;

const contractFields: Record<DestinationKind, ReadonlySet<string>> = {
  'guest-update': new Set(waiverFieldNames),
  'guest-webhook': new Set(webhookGuestFieldNames),
};

/**
 * The properties of a record that are sent only if listed: its answers, and its fields outside the contract. An app's
 * answer of the same name takes precedence.
 */
export const listedProperties = ({ validUntil, reuseOf, answers }: WaiverRecord): Answers => ({
  ...(validUntil === null ? {} : { validUntil }),
  ...(reuseOf === null ? {} : { reuseOf }),
  ...answers,
});

/** The listed properties, in the order of the list. None replaces a field of the contract. */
function sharedProperties(kind: DestinationKind, record: WaiverRecord, listed: readonly string[]): Fields {
  const properties = listedProperties(record);
  const shared: [string, JsonValue][] = [];
  for (const name of listed) {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value !== undefined && !contractFields[kind].has(name)) shared.push([name, value]);
  }
  return Object.fromEntries(shared);
}

/**
 * The body of a Guest Update (contract 4.2, 2.5) as JSON: the contract's seven fields in its order, then the answers
 * that the installation shares. `bookingGuestId` is omitted if unknown.
 */
export function guestUpdateBody(
  waiver: WaiverRecord & { readonly bookingId: string },
  shareProperties: readonly string[],
): string {
  const { id, pool, bookingId, bookingGuestId, lastVisit, deleted, updatedAt } = waiver;
  return JSON.stringify({
    waiver: {
      id,
      pool,
      bookingId,
      ...(bookingGuestId === null ? {} : { bookingGuestId }),
      lastVisit: lastVisit.toISOString(),
      deleted,
      updatedAt: updatedAt.toISOString(),
      ...sharedProperties('guest-update', waiver, shareProperties),
    },
  });
}

/**
 * The body of the guest webhook (contract 4.3, 2.6), as JSON: the contract's fields in its order, then the answers that
 * the webhook lists. Times have milliseconds and `Z`.
 */
export function guestWebhookBody(waiver: WaiverRecord, properties: readonly string[]): string {
  const { answers } = waiver;
  const feedback = Object.hasOwn(answers, 'feedback') ? answers.feedback : undefined;
  return JSON.stringify({
    guest: {
      id: waiver.id,
      pool: waiver.pool,
      activities: waiver.activities,
      createdAt: waiver.createdAt.toISOString(),
      updatedAt: waiver.updatedAt.toISOString(),
      lastVisit: waiver.lastVisit.toISOString(),
      deleted: waiver.deleted,
      feedback: typeof feedback === 'string' ? feedback : '',
      currentPage: waiver.currentPage,
      reservationsID: waiver.bookingId,
      reservationsService: waiver.bookingSystem ?? '',
      ...sharedProperties('guest-webhook', waiver, properties),
    },
  });
}

function filterFields(
  kind: DestinationKind,
  body: string,
  isKept: (name: string) => boolean,
): Readonly<Record<string, Fields>> {
  // A body made above, so it has one member, `waiver` or `guest`.
  const parsed: Readonly<Record<string, Fields>> = JSON.parse(body);
  return Object.fromEntries(
    Object.entries(parsed).map(([name, fields]) => [
      name,
      Object.fromEntries(
        Object.entries(fields).filter(([field]) => contractFields[kind].has(field) || isKept(field)),
      ),
    ]),
  );
}

/** A body with the contract's fields and, of its answers, only the listed ones. */
export const bodyWithOnly = (kind: DestinationKind, body: string, listed: readonly string[]): string =>
  JSON.stringify(filterFields(kind, body, (name) => listed.includes(name)));

/** A body without some answers. A webhook's `feedback` is a field of the contract, so it is emptied. */
export function bodyWithout(kind: DestinationKind, body: string, removed: ReadonlySet<string>): string {
  const { guest, ...rest } = filterFields(kind, body, (name) => !removed.has(name));
  if (guest === undefined) return JSON.stringify(rest);
  return JSON.stringify({ guest: removed.has('feedback') ? { ...guest, feedback: '' } : guest });
}

/** A webhook endpoint. */
export interface WebhookRecipient {
  readonly destination: string;
  /** Incremented whenever fewer answers may be sent than before. */
  readonly permissionVersion: number;
  /** The names of the answers to send. */
  readonly properties: readonly string[];
}

/** An installation that receives Guest Updates. */
export interface GuestUpdateRecipient extends WebhookRecipient {
  readonly bookingSystem: string;
  /** The id by which it identifies a waiver. */
  readonly guestId: 'booking-guest-id' | 'waiver-id' | 'none';
}

/** All recipients of a pool's waivers. */
export interface Recipients {
  readonly installations: readonly GuestUpdateRecipient[];
  readonly webhooks: readonly WebhookRecipient[];
}

/** A message about one version of a waiver. */
export interface WaiverMessage {
  readonly destination: string;
  readonly permissionVersion: number;
  readonly kind: DestinationKind;
  readonly pool: string;
  readonly waiverId: string;
  readonly version: number;
  readonly bookingId: string | null;
  /** Whether it takes the waiver back from a previous booking or guest; if so, it is never superseded. */
  readonly takeback: boolean;
  readonly body: string;
}

/** Creates each body once, however many recipients share the same answers. */
function bodiesBy(make: (properties: readonly string[]) => string): (recipient: WebhookRecipient) => string {
  const bodies = new Map<string, string>();
  return ({ properties }) => {
    const key = JSON.stringify(properties);
    const body = bodies.get(key) ?? make(properties);
    bodies.set(key, body);
    return body;
  };
}

const addressed = (
  { pool, id, version }: WaiverRecord,
  { destination, permissionVersion }: WebhookRecipient,
) => ({ destination, permissionVersion, pool, waiverId: id, version });

function guestUpdates(
  waiver: WaiverRecord,
  installations: readonly GuestUpdateRecipient[],
  takeback: boolean,
): WaiverMessage[] {
  const { bookingId } = waiver;
  if (bookingId === null) return [];
  const bodyFor = bodiesBy((properties) => guestUpdateBody({ ...waiver, bookingId }, properties));
  return installations
    .filter(({ bookingSystem }) => bookingSystem === waiver.bookingSystem)
    .map((recipient) => ({
      ...addressed(waiver, recipient),
      kind: 'guest-update',
      bookingId,
      takeback,
      body: bodyFor(recipient),
    }));
}

function guestWebhooks(waiver: WaiverRecord, webhooks: readonly WebhookRecipient[]): WaiverMessage[] {
  const bodyFor = bodiesBy((properties) => guestWebhookBody(waiver, properties));
  return webhooks.map((recipient) => ({
    ...addressed(waiver, recipient),
    kind: 'guest-webhook',
    // It contains the whole record, so a newer one replaces an older one, whichever booking each names.
    bookingId: null,
    takeback: false,
    body: bodyFor(recipient),
  }));
}

/** How a waiver leaves a booking, or a guest of its booking. */
export interface Departure {
  /** The version that takes the waiver back; sent only to that booking system. */
  readonly takeback: WaiverRecord;
  /** Whether it stays in the booking, under any of its ids, and only leaves a guest. */
  readonly staysInBooking: boolean;
  /** Whether the booking no longer has that guest. */
  readonly isGuestGone: boolean;
}

// Within a booking, a waiver moves between guests only for systems that identify it by guest id. For the others, it is
// the same waiver and must not be taken back.
const takebackRecipients = ({ staysInBooking, isGuestGone }: Departure, { installations }: Recipients) =>
  installations.filter(({ guestId }) => (guestId === 'booking-guest-id' ? !isGuestGone : !staysInBooking));

/**
 * The messages of one stored change (contract 6): a Guest Update if the waiver has a booking in an installed booking
 * system, and a webhook for each endpoint.
 */
export function messagesOf(
  next: WaiverRecord,
  departure: Departure | undefined,
  recipients: Recipients,
): WaiverMessage[] {
  const takebacks =
    departure === undefined
      ? []
      : guestUpdates(departure.takeback, takebackRecipients(departure, recipients), true);
  return [
    ...takebacks,
    ...guestUpdates(next, recipients.installations, false),
    ...guestWebhooks(next, recipients.webhooks),
  ];
}
