import {
  type BookingSystemResponse,
  BookingSystemUnavailable,
  type BookingSystemWebhooks,
  type InboundCall,
  type InboundNotice,
} from '@waiver-service/core';
import {
  expectObject,
  type NoSettings,
  objectOf,
  objectsIn,
  percentEncode,
  textOf,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Account, Context } from './account.ts';
import { displayName, raiseForRoller } from './answers.ts';
import { asJson, withJson } from './requests.ts';

const events = ['Created', 'Updated', 'Cancelled'] as const;

interface Webhook {
  readonly id: string;
  readonly url: string | undefined;
  /** Enabled, and covers every booking event: ROLLER disables a webhook whose calls fail for days. */
  readonly isComplete: boolean;
}

function webhookIn({ webhookId, configuration }: Readonly<Record<string, unknown>>): Webhook[] {
  const id = textOf(webhookId);
  if (id === undefined) return [];
  const { url, enabled, webhooks } = objectOf(configuration);
  const { events: sent } = objectOf(objectOf(webhooks).booking);
  const isComplete = enabled === true && Array.isArray(sent) && events.every((event) => sent.includes(event));
  return [{ id, url: textOf(url), isComplete }];
}

const raiseUnlessTaken = (response: BookingSystemResponse): void =>
  raiseForRoller(response, { purpose: 'other' });

/** The venue's webhooks, including others'. Documented as a single object, not a list: both are read. */
async function listWebhooks({ http }: Context): Promise<readonly Webhook[]> {
  const response = await http.get('webhooks', asJson);
  raiseUnlessTaken(response);
  const { data } = response;
  return objectsIn(Array.isArray(data) ? data : [expectObject(data)]).flatMap(webhookIn);
}

async function create(context: Context, url: string): Promise<void> {
  // ROLLER requires a key and sends it with each message. Our calls are recognized by the key in the URL.
  const authentication = { apiKey: 'waiver-service' };
  const webhook = { url, enabled: true, authentication, webhooks: { booking: { events } } };
  raiseUnlessTaken(await context.http.post('webhooks', JSON.stringify(webhook), withJson));
  const isListed = (await listWebhooks(context)).some((hook) => hook.url === url && hook.isComplete);
  if (!isListed) throw new BookingSystemUnavailable(`${displayName} took a webhook and does not list it`);
}

async function remove({ http }: Context, { id }: Webhook): Promise<void> {
  const response = await http.delete(`webhooks/${percentEncode(id)}`, asJson);
  if (response.status !== 404) raiseUnlessTaken(response);
}

/** ROLLER's booking webhook. A disabled one is replaced. */
export const webhooks: BookingSystemWebhooks<NoSettings, Account> = {
  async register(context, { url, formerUrls }) {
    const there = await listWebhooks(context);
    const registered = there.find((hook) => hook.url === url && hook.isComplete);
    if (registered === undefined) await create(context, url);
    const own = new Set([url, ...formerUrls]);
    for (const hook of there) {
      if (hook !== registered && hook.url !== undefined && own.has(hook.url)) await remove(context, hook);
    }
  },
  async unregister(context, { urls }) {
    const own = new Set(urls);
    for (const hook of await listWebhooks(context)) {
      if (hook.url !== undefined && own.has(hook.url)) await remove(context, hook);
    }
  },
};

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
