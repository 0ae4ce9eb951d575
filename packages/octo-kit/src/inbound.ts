import {
  type BookingSystemContext,
  BookingSystemUnavailable,
  type BookingSystemWebhooks,
  type InboundCall,
  type InboundNotice,
  InvalidBookingResponse,
} from '@waiver-service/core';
import { isJsonObject, kindOf, objectOf, objectsIn, percentEncode, textOf } from '@waiver-service/plugin-kit';
import { raiseForOcto } from './answers.ts';

type Context = Pick<BookingSystemContext, 'http'>;

const event = 'booking_update';

/** The account's webhooks about bookings, including those registered by others. */
async function listWebhooks({ http }: Context) {
  const response = await http.get('webhooks');
  raiseForOcto(response, { purpose: 'other' });
  if (!Array.isArray(response.data)) {
    throw new BookingSystemUnavailable('The booking system answered without a list of webhooks');
  }
  return objectsIn(response.data).flatMap((hook) => {
    const [id, url] = [textOf(hook.id), textOf(hook.url)];
    return hook.event === event && id !== undefined && url !== undefined ? [{ id, url }] : [];
  });
}

async function remove({ http }: Context, id: string): Promise<void> {
  const response = await http.delete(`webhooks/${percentEncode(id)}`);
  if (response.status !== 404) raiseForOcto(response, { purpose: 'other' });
}

/** The webhooks of `octo/webhooks`. */
export const webhooks: BookingSystemWebhooks = {
  async register(context, { url, formerUrls }) {
    const former = new Set(formerUrls);
    const there = await listWebhooks(context);
    const [registered, ...repeated] = there.filter((hook) => hook.url === url);
    if (registered === undefined) {
      raiseForOcto(await context.http.post('webhooks', { event, url }), { purpose: 'other' });
      const stored = await listWebhooks(context);
      if (!stored.some((hook) => hook.url === url)) {
        throw new BookingSystemUnavailable('The booking system took a webhook and does not list it');
      }
    }
    for (const { id } of [...repeated, ...there.filter((hook) => former.has(hook.url))]) {
      await remove(context, id);
    }
  },
  async unregister(context, { urls }) {
    const own = new Set(urls);
    for (const { id, url } of await listWebhooks(context)) if (own.has(url)) await remove(context, id);
  },
};

/** Parses a call of `octo/webhooks`. Calls not about a booking yield no ids. */
export function parseInbound({ body }: InboundCall): InboundNotice {
  if (!isJsonObject(body)) {
    throw new InvalidBookingResponse(`the call’s body is ${kindOf(body)}: it is not a call of octo/webhooks`);
  }
  const uuid = textOf(objectOf(body.booking).uuid);
  return { bookingIds: uuid === undefined ? [] : [uuid] };
}
