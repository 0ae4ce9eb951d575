import { type InboundCall, type InboundNotice, InvalidBookingResponse } from '@waiver-service/core';
import { isJsonObject, kindOf, textOf } from '@waiver-service/plugin-kit';

const bookingTopic = 'bookings/';

/** The number in an id such as `Qm9va2luZzoxMDU2OTg3MzU`, which is `Booking:105698735` in base64. */
function numberIn(id: string): string | undefined {
  return /^Booking:(\d+)$/.exec(Buffer.from(id, 'base64').toString())?.[1];
}

const headerOf = ({ headers }: InboundCall, name: string) => textOf([headers[name]].flat()[0]);

/** The booking in a notification of a booking channel. */
function notifiedBooking(body: unknown): string | undefined {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is none of Bókun’s webhooks`);
  }
  return textOf(body.confirmationCode) ?? textOf(body.bookingId);
}

/**
 * Parses a webhook. An app's has a topic, and the booking in a header: the signature covers the headers and not the body.
 * A notification of a booking channel has no topic, and the booking as its body.
 */
export function parseInbound(call: InboundCall): InboundNotice {
  const topic = headerOf(call, 'x-bokun-topic');
  if (topic !== undefined && !topic.startsWith(bookingTopic)) return { bookingIds: [] };
  const id =
    topic === undefined ? notifiedBooking(call.body) : numberIn(headerOf(call, 'x-bokun-booking-id') ?? '');
  return { bookingIds: id === undefined ? [] : [id] };
}
