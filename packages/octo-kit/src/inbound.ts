import {
  type BookingSystemWebhooks,
  type InboundCall,
  type InboundNotice,
  InvalidBookingResponse,
} from '@waiver-service/core';
import {
  isJsonObject,
  kindOf,
  objectOf,
  objectsIn,
  oneWebhook,
  percentEncode,
  textOf,
} from '@waiver-service/plugin-kit';
import { bookingSystem, raiseForOcto } from './answers.ts';

const event = 'booking_update';

/** The webhooks of `octo/webhooks`. */
export const webhooks: BookingSystemWebhooks = oneWebhook({
  bookingSystem,
  raiseFor: raiseForOcto,
  list: ({ http }) => http.get('webhooks'),
  read: (data) =>
    Array.isArray(data)
      ? objectsIn(data)
          .filter((hook) => hook.event === event)
          .map(({ id, url }) => ({ id, url }))
      : undefined,
  create: ({ http }, url) => http.post('webhooks', { event, url }),
  remove: ({ http }, id) => http.delete(`webhooks/${percentEncode(id)}`),
});

/** Parses a call of `octo/webhooks`. Calls not about a booking yield no ids. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is not a call of octo/webhooks`);
  }
  const uuid = textOf(objectOf(body.booking).uuid);
  return { bookingIds: uuid === undefined ? [] : [uuid] };
}
