import { type DestinationKind, guestUpdateBody, guestWebhookBody } from './bodies.ts';
import type { WaiverRecord } from './waiver.ts';

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
