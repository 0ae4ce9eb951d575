import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { expectObject, type JsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import { readXmlCall } from './xml-call.ts';

/** A value by its place in JSON, or in a form, where the place is the name: `booking[code]`. */
function valueAt(call: JsonObject, [first, ...rest]: readonly [string, ...string[]]): unknown {
  const nested = rest.reduce<unknown>((value, name) => objectOf(value)[name], call[first]);
  return nested ?? call[`${first}${rest.map((name) => `[${name}]`).join('')}`];
}

const placesOfIds = [
  ['booking', 'code'],
  ['booking', '@attributes', 'booking_id'],
  ['transaction', 'booking_id'],
] as const;

/**
 * Checkfront's webhook about a booking or a payment, as JSON, as a form or as XML. Its calls about items and rates name
 * no booking. Throws for what is no call of Checkfront's.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  const call = typeof body === 'string' ? readXmlCall(body) : expectObject(body);
  const id = placesOfIds.map((place) => textOf(valueAt(call, place))).find((found) => found !== undefined);
  if (id !== undefined) return { bookingIds: [id] };
  const isAboutBooking = Object.keys(call).some((name) => name === 'booking' || name.startsWith('booking['));
  if (isAboutBooking) throw new Error('the call names neither a booking’s code nor its number');
  return { bookingIds: [] };
}
