import { createHmac } from 'node:crypto';
import {
  type InboundAuthenticity,
  type InboundCall,
  type InboundNotice,
  type InboundRequest,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { isJsonObject, isSameSecret, kindOf, textOf } from '@waiver-service/plugin-kit';
import type { Account, Settings } from './settings.ts';

const bookingTopic = 'bookings/';
const signatureHeader = 'x-bokun-hmac';

/** The signed part of a webhook: Bókun's own headers, sorted by name; neither the body nor a time. */
const signedTextOf = ({ headers }: InboundRequest): string =>
  Object.entries(headers)
    .filter(([name]) => name.startsWith('x-bokun-') && name !== signatureHeader)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&');

const isAmbiguous = ([name, value]: readonly [string, unknown]) =>
  name.startsWith('x-bokun-') && name !== signatureHeader && `${name}${String(value)}`.includes('&');

/**
 * Verifies the signature of an app's webhook with the app's secret. Without that setting, the key in the URL
 * authenticates. Accepts base64, as Bókun's documentation says, and hexadecimal, as its example and its apps have it.
 */
export function inboundAuthenticity(request: InboundRequest<Settings, Account>): InboundAuthenticity {
  const { appSecret } = request.settings;
  if (appSecret === undefined) return 'authentic';
  // Headers are joined unescaped: with an "&" in one, they could be split differently from how they were signed.
  if (Object.entries(request.headers).some(isAmbiguous)) return 'forged';
  const signature = createHmac('sha256', appSecret).update(signedTextOf(request)).digest();
  const received = request.headers[signatureHeader];
  const [isHexadecimal, isBase64] = (['hex', 'base64'] as const).map((encoding) =>
    isSameSecret(received, signature.toString(encoding)),
  );
  return isHexadecimal || isBase64 ? 'authentic' : 'forged';
}

/** The number in an id such as `Qm9va2luZzoxMDU2OTg3MzU`, which is `Booking:105698735` in base64. */
function numberIn(id: string): string | undefined {
  return /^Booking:(\d+)$/.exec(Buffer.from(id, 'base64').toString())?.[1];
}

const headerOf = ({ headers }: InboundCall, name: string) => textOf([headers[name]].flat()[0]);

/** The booking in a notification of a booking channel. */
function notifiedBooking(body: unknown): string | undefined {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is not a Bókun webhook`);
  }
  return textOf(body.confirmationCode) ?? textOf(body.bookingId);
}

/**
 * Parses a webhook. An app's has a topic, and names the booking in a header, since the signature does not cover the
 * body. A booking channel's notification has no topic, and its body is the booking.
 */
export function parseInbound(call: InboundCall): InboundNotice {
  const topic = headerOf(call, 'x-bokun-topic');
  if (topic !== undefined && !topic.startsWith(bookingTopic)) return { bookingIds: [] };
  const id =
    topic === undefined ? notifiedBooking(call.body) : numberIn(headerOf(call, 'x-bokun-booking-id') ?? '');
  return { bookingIds: id === undefined ? [] : [id] };
}
