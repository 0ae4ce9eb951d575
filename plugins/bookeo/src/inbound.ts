import { createHmac } from 'node:crypto';
import type { InboundAuthenticity, InboundCall, InboundNotice, InboundRequest } from '@waiver-service/core';
import { isJsonObject, isSameSecret, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Account, Settings } from './settings.ts';

/** Bookeo's recommended maximum difference between a message's time and now. */
const toleranceMs = 120_000;

const callSchema = z.looseObject({ itemId: z.unknown(), item: z.unknown() }).partial();

/** Verifies Bookeo's signature over time, message id, URL and body, with the application's secret key. */
export function inboundAuthenticity({
  headers,
  url,
  rawBody,
  now,
  settings,
}: InboundRequest<Settings, Account>): InboundAuthenticity {
  const { 'x-bookeo-timestamp': timestamp, 'x-bookeo-messageid': messageId } = headers;
  if (typeof timestamp !== 'string' || typeof messageId !== 'string') return 'forged';
  const signature = createHmac('sha256', settings.secretKey)
    .update(`${timestamp}${messageId}${url.href}`)
    .update(rawBody)
    .digest('hex');
  if (!isSameSecret(headers['x-bookeo-signature'], signature)) return 'forged';
  return Math.abs(now.getTime() - Number(timestamp)) <= toleranceMs ? 'authentic' : 'stale';
}

/**
 * Parses Bookeo's webhook: `{itemId, timestamp, item}`. An item with a `bookingNumber` is a booking; any other is a
 * customer, a payment or a block of seats. Without an item, only an `itemId` of digits can be a booking. Throws a ZodError
 * for a body that is not an object.
 */
export function parseInbound({ headers, body }: InboundCall): InboundNotice {
  const { itemId, item } = callSchema.parse(body);
  const id = isJsonObject(item) ? textOf(item.bookingNumber) : textOf(itemId);
  const isBooking = id !== undefined && (isJsonObject(item) || /^\d+$/.test(id));
  const { 'x-bookeo-messageid': messageId, 'x-bookeo-previousmessagelost': lost } = headers;
  return {
    bookingIds: isBooking ? [id] : [],
    ...(typeof messageId === 'string' ? { messageId } : {}),
    ...(lost === 'true' ? { missedCalls: true } : {}),
  };
}
