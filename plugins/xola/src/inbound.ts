import type {
  AccountId,
  InboundAuthenticity,
  InboundCall,
  InboundNotice,
  InboundRequest,
} from '@waiver-service/core';
import { isSameSecret, textOf } from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Account, Settings } from './settings.ts';

const callSchema = z.looseObject({
  eventName: z.string().catch(''),
  data: z.looseObject({ seller: z.looseObject({}).catch({}) }).catch({ seller: {} }),
});

/** Xola signs nothing: its calls are authenticated by a secret in the URL registered for the app. */
export function inboundAuthenticity({
  query,
  settings: { webhookSecret },
}: InboundRequest<Settings, Account>): InboundAuthenticity {
  return webhookSecret !== undefined && isSameSecret(query.secret, webhookSecret) ? 'authentic' : 'forged';
}

/** The seller that a call is about. Throws a ZodError for a body that is not an object. */
export function inboundAccount({ body }: InboundCall): AccountId | undefined {
  return textOf(callSchema.parse(body).data.seller.id);
}

/**
 * Parses Xola's webhook: `{eventName, data}`, where `data` of an `order.…` event is the order. Other events, such as
 * `installation.create`, name no booking. Throws a ZodError for a body that is not an object.
 */
export function parseInbound({ body }: InboundCall): InboundNotice {
  const { eventName, data } = callSchema.parse(body);
  const id = textOf(data.id);
  return { bookingIds: eventName.startsWith('order.') && id !== undefined ? [id] : [] };
}
