import { v7 as uuidv7 } from 'uuid';
import { guestUpdateBody } from '../bodies/guest-update-body.ts';
import { guestWebhookBody } from '../bodies/guest-webhook-body.ts';
import type { DestinationKind } from '../database/tables-outbox.ts';
import { isSameBooking } from './next-state.ts';
import type { Recipients, WebhookRecipient } from './recipients.ts';
import type { WaiverRecord } from './waiver-record.ts';

/** One message that a stored change sends, its body fixed. */
export interface PlannedMessage {
  readonly id: string;
  readonly destination: string;
  readonly permission_version: number;
  readonly kind: DestinationKind;
  readonly pool: string;
  readonly waiver_id: string;
  readonly version: number;
  readonly booking_id: string | null;
  readonly takeback: boolean;
  readonly body: string;
}

function messageFor(
  waiver: WaiverRecord,
  { destination, permissionVersion }: Pick<WebhookRecipient, 'destination' | 'permissionVersion'>,
) {
  return {
    id: uuidv7(),
    destination,
    permission_version: permissionVersion,
    pool: waiver.pool,
    waiver_id: waiver.id,
    version: waiver.version,
  };
}

function guestUpdates(waiver: WaiverRecord, recipients: Recipients, takeback: boolean): PlannedMessage[] {
  const { bookingId } = waiver;
  if (bookingId === null) return [];
  return recipients.installations
    .filter(({ bookingSystem }) => bookingSystem === waiver.bookingSystem)
    .map((recipient) => ({
      ...messageFor(waiver, recipient),
      kind: 'guest-update',
      booking_id: bookingId,
      takeback,
      body: guestUpdateBody({ ...waiver, bookingId }, recipient.properties),
    }));
}

function guestWebhooks(waiver: WaiverRecord, recipients: Recipients): PlannedMessage[] {
  return recipients.webhooks.map((recipient) => ({
    ...messageFor(waiver, recipient),
    kind: 'guest-webhook',
    // A webhook carries the whole record: what is newer replaces what is older, whatever booking it names.
    booking_id: null,
    takeback: false,
    body: guestWebhookBody(waiver, recipient.properties),
  }));
}

// A record that stays in its booking has left a guest: only who is told of waivers by the guest's id has two of them.
// To anyone else it is the same waiver, which must not be taken back.
function toldOfTakeback(takeback: WaiverRecord, next: WaiverRecord, { installations, webhooks }: Recipients) {
  if (!isSameBooking(takeback, next)) return { installations, webhooks };
  return { installations: installations.filter(({ guestId }) => guestId === 'booking-guest-id'), webhooks };
}

/**
 * Everything that one stored change sends: a Guest Update where the record has a booking at an installed booking
 * system, a webhook for each endpoint (contract 6). `takeback` is the version that takes a record back from the
 * booking, or the guest, that it has left; only that booking system is told of it.
 */
export function planMessages(
  next: WaiverRecord,
  takeback: WaiverRecord | undefined,
  recipients: Recipients,
): PlannedMessage[] {
  return [
    ...(takeback === undefined
      ? []
      : guestUpdates(takeback, toldOfTakeback(takeback, next, recipients), true)),
    ...guestUpdates(next, recipients, false),
    ...guestWebhooks(next, recipients),
  ];
}
