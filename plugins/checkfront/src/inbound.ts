import type { InboundCall, InboundNotice } from '@waiver-service/core';
import { expectObject, isJsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import { readWebhook } from './native/webhook/webhook.ts';

/**
 * Checkfront's webhook about a booking or a payment. Its calls about items and events name no booking. Throws for what
 * is not a call of Checkfront's.
 */
export function readInbound({ body }: InboundCall): InboundNotice {
  const { booking, transaction, '@attributes': attributes, type } = expectObject(body);
  const { booking_id: number } = objectOf(objectOf(booking)['@attributes']);
  const id = textOf(readWebhook(body)?.code) ?? textOf(number) ?? textOf(objectOf(transaction).booking_id);
  if (id !== undefined) return { bookingIds: [id] };
  const isCall = isJsonObject(attributes) || typeof type === 'string';
  if (isCall && booking === undefined && transaction === undefined) return { bookingIds: [] };
  throw new Error('the call names neither a booking’s code nor its number');
}
