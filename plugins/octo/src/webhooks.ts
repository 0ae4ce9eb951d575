import {
  type BookingSystemContext,
  BookingSystemUnavailable,
  type BookingSystemWebhooks,
  type InstalledAccount,
} from '@waiver-service/core';
import { objectOf, objectsIn, percentEncode, raiseForFailure, textOf } from '@waiver-service/plugin-kit';
import type { OctoSettings } from './settings.ts';

type Context = BookingSystemContext<OctoSettings, InstalledAccount>;
type Response = Awaited<ReturnType<Context['http']['get']>>;

const displayName = 'OCTO';
const event = 'booking_update';

function raiseUnlessAccepted(response: Response): void {
  const { error, errorMessage } = objectOf(response.data);
  const refusal = [textOf(error), textOf(errorMessage)].filter((text) => text !== undefined).join(': ');
  if (response.status < 200 || response.status > 299) raiseForFailure(response, displayName, refusal);
}

/** The account's webhooks about bookings, whoever registered them. */
async function listWebhooks({ http }: Context) {
  const response = await http.get('webhooks');
  raiseUnlessAccepted(response);
  if (!Array.isArray(response.data)) {
    throw new BookingSystemUnavailable(`${displayName} answered without a list of webhooks`);
  }
  return objectsIn(response.data).flatMap((hook) => {
    const [id, url] = [textOf(hook.id), textOf(hook.url)];
    return hook.event === event && id !== undefined && url !== undefined ? [{ id, url }] : [];
  });
}

async function remove({ http }: Context, id: string): Promise<void> {
  const response = await http.delete(`webhooks/${percentEncode(id)}`);
  if (response.status !== 404) raiseUnlessAccepted(response);
}

/** The webhooks of `octo/webhooks`. */
export const webhooks: BookingSystemWebhooks<OctoSettings, InstalledAccount> = {
  isUsed: ({ settings }) => settings.webhooks === true,
  async register(context, { url, formerUrls }) {
    const former = new Set(formerUrls);
    const there = await listWebhooks(context);
    const [registered, ...repeated] = there.filter((hook) => hook.url === url);
    if (registered === undefined) {
      raiseUnlessAccepted(await context.http.post('webhooks', { event, url }));
      const stored = await listWebhooks(context);
      if (!stored.some((hook) => hook.url === url)) {
        throw new BookingSystemUnavailable(`${displayName} took a webhook and does not list it`);
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
