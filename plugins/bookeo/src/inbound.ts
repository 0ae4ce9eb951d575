import { createHmac } from 'node:crypto';
import {
  BookingSystemUnavailable,
  type BookingSystemWebhooks,
  type InboundAuthenticity,
  type InboundCall,
  type InboundNotice,
  type InboundRequest,
} from '@waiver-service/core';
import {
  isJsonObject,
  isSameSecret,
  objectOf,
  percentEncode,
  raiseForStatus,
  textOf,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { Account, Context, Settings } from './settings.ts';

const displayName = 'Bookeo';
const domain = 'bookings';
const types = ['created', 'updated', 'deleted'] as const;

interface Webhook {
  readonly id: string;
  readonly url: string | undefined;
  readonly type: string | undefined;
  /** Bookeo stopped calling it after too many failures. */
  readonly isBlocked: boolean;
}

// A list that cannot be read must not count as empty: a new webhook would replace somebody else's.
function raiseForUnreadableList(): never {
  throw new BookingSystemUnavailable(`${displayName} answered without a list of webhooks`);
}

/** The API key's webhooks about bookings: at most one of each type, so the list has a single page. */
async function listWebhooks({ http }: Context): Promise<readonly Webhook[]> {
  const response = await http.get('webhooks');
  raiseForStatus(response, { bookingSystem: displayName, purpose: 'other' });
  const { data } = objectOf(response.data);
  if (!Array.isArray(data) || !data.every(isJsonObject)) raiseForUnreadableList();
  return data
    .filter((hook) => (textOf(hook.domain) ?? domain) === domain)
    .map((hook) => ({
      id: textOf(hook.id) ?? raiseForUnreadableList(),
      url: textOf(hook.url),
      type: textOf(hook.type),
      isBlocked: textOf(hook.blockedTime) !== undefined,
    }));
}

/** A URL safe to show: its query may contain another application's secret. */
const withoutQuery = (url: string) => url.replace(/[?#].*/s, '');

async function remove({ http }: Context, { id }: Webhook): Promise<void> {
  const response = await http.delete(`webhooks/${percentEncode(id)}`);
  const isGone = response.status === 404 || response.status === 410;
  if (!isGone) raiseForStatus(response, { bookingSystem: displayName, purpose: 'other' });
}

/**
 * Bookeo's webhooks about bookings. A new webhook replaces the one of the same type, so a working one with a foreign
 * URL, or with none that can be read, is left alone, with an error that names it.
 */
export const webhooks: BookingSystemWebhooks<Settings, Account> = {
  async register(context, { url, formerUrls }) {
    const own = new Set([url, ...formerUrls]);
    const there = await listWebhooks(context);
    const foreign = there.find((hook) => !hook.isBlocked && (hook.url === undefined || !own.has(hook.url)));
    if (foreign !== undefined) {
      const address =
        foreign.url === undefined ? 'an address that it does not show' : withoutQuery(foreign.url);
      throw new BookingSystemUnavailable(
        `Bookeo already sends ${domain} of this API key (${foreign.type}) to ${address}, and a key has one webhook of a kind: remove that webhook, or install with another API key`,
      );
    }
    const missing = types.filter(
      (type) => !there.some((hook) => hook.type === type && hook.url === url && !hook.isBlocked),
    );
    for (const type of missing) {
      const response = await context.http.post('webhooks', { url, domain, type });
      raiseForStatus(response, { bookingSystem: displayName, purpose: 'other' });
    }
    if (missing.length === 0) return;
    const stored = await listWebhooks(context);
    const lost = types.filter((type) => !stored.some((hook) => hook.type === type && hook.url === url));
    if (lost.length > 0) {
      throw new BookingSystemUnavailable(`Bookeo took webhooks and does not list them: ${lost.join(', ')}`);
    }
  },
  async unregister(context, { urls }) {
    const own = new Set(urls);
    for (const hook of await listWebhooks(context)) {
      if (hook.url !== undefined && own.has(hook.url)) await remove(context, hook);
    }
  },
};

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
