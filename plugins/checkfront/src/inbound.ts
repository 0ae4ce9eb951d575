import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { expectObject, type JsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import { readXmlCall } from './inbound/xml-call.ts';

/** The value at a path, in JSON or in a form whose field names are paths: `booking[code]`. */
function valueAt(call: JsonObject, [first, ...rest]: readonly [string, ...string[]]): unknown {
  const nested = rest.reduce<unknown>((value, name) => objectOf(value)[name], call[first]);
  return nested ?? call[`${first}${rest.map((name) => `[${name}]`).join('')}`];
}

const idPaths = [
  ['booking', 'code'],
  ['booking', '@attributes', 'booking_id'],
  ['transaction', 'booking_id'],
] as const;

/**
 * Parses Checkfront's webhook, sent as JSON, as a form or as XML. Calls about items and rates name no booking. Throws for a
 * body that is not one of Checkfront's.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const call = typeof body === 'string' ? readXmlCall(body) : expectObject(body);
  const id = idPaths.map((path) => textOf(valueAt(call, path))).find((found) => found !== undefined);
  if (id !== undefined) return { bookingIds: [id] };
  const isAboutBooking = Object.keys(call).some((name) => name === 'booking' || name.startsWith('booking['));
  if (isAboutBooking) throw new Error('the call names neither a booking’s code nor its number');
  return { bookingIds: [] };
}
