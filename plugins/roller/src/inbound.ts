import type { BookingSystemWebhooks, InboundCall, InboundNotice } from '@waiver-service/core';
import {
  expectObject,
  type JsonObject,
  type ListedWebhook,
  type NoSettings,
  objectOf,
  objectsIn,
  oneWebhook,
  percentEncode,
  textOf,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Account } from './account.ts';
import { displayName, raiseForRoller } from './answers.ts';
import { asJson, withJson } from './requests.ts';

const events = ['Created', 'Updated', 'Cancelled'] as const;

function listedWebhook({ webhookId, configuration }: JsonObject): ListedWebhook {
  const { url, enabled, webhooks } = objectOf(configuration);
  const { events: sent } = objectOf(objectOf(webhooks).booking);
  // ROLLER disables a webhook whose calls fail for days.
  const isComplete = enabled === true && Array.isArray(sent) && events.every((event) => sent.includes(event));
  return { id: webhookId, url, isComplete };
}

/** ROLLER's booking webhook. */
export const webhooks: BookingSystemWebhooks<NoSettings, Account> = oneWebhook({
  bookingSystem: displayName,
  raiseFor: raiseForRoller,
  list: ({ http }) => http.get('webhooks', asJson),
  // Documented as a single object, not a list: both are read.
  read: (data) => (Array.isArray(data) ? objectsIn(data) : [expectObject(data)]).map(listedWebhook),
  create({ http }, url) {
    // ROLLER requires a key and sends it with each message. Our calls are recognized by the key in the URL.
    const authentication = { apiKey: 'waiver-service' };
    const webhook = { url, enabled: true, authentication, webhooks: { booking: { events } } };
    return http.post('webhooks', JSON.stringify(webhook), withJson);
  },
  remove: ({ http }, id) => http.delete(`webhooks/${percentEncode(id)}`, asJson),
});

const messageSchema = z.looseObject({ id: z.unknown(), type: z.unknown(), data: z.unknown() }).partial();

// The type's name or its number: both are documented.
const bookingTypes: readonly unknown[] = ['Booking', 1, '1'];

/**
 * Parses a message of ROLLER's webhook. Only booking messages name a booking: redemptions, guests, signed waivers,
 * exports and payment links have no effect. Throws a ZodError for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { id, type, data } = messageSchema.parse(body);
  const messageId = textOf(id);
  // "Under the data object", as ROLLER says, can be read both ways.
  const { uniqueId: ownId, booking } = objectOf(data);
  const uniqueId = textOf(ownId) ?? textOf(objectOf(booking).uniqueId);
  return {
    bookingIds: bookingTypes.includes(type) && uniqueId !== undefined ? [uniqueId] : [],
    ...(messageId === undefined ? {} : { messageId }),
  };
}
