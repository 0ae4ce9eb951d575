import {
  type BookingSystemContext,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  type BookingSystemWebhooks,
  type InstalledAccount,
} from '@waiver-service/core';
import { type RequestPurpose, raiseForStatus } from '../answers.ts';
import { textOf } from '../reading/vendor-fields.ts';

/** A webhook in a vendor's list. */
export interface ListedWebhook {
  readonly id: unknown;
  readonly url: unknown;
  /** Whether it is in use, for every event about bookings; otherwise it is replaced. Default: true. */
  readonly isComplete?: boolean;
}

/** The requests for a vendor's webhooks. */
export interface WebhookRequests<S, A extends InstalledAccount> {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  /** Throws the error for a response; a 2xx passes. Default: {@link raiseForStatus}. */
  readonly raiseFor?: (response: BookingSystemResponse, request: RequestPurpose) => void;
  list(context: BookingSystemContext<S, A>): Promise<BookingSystemResponse>;
  /**
   * The account's webhooks about bookings in the response to `list`, including other parties'. `undefined` for anything
   * else: it must not count as an empty list.
   */
  read(data: unknown): readonly ListedWebhook[] | undefined;
  create(context: BookingSystemContext<S, A>, url: string): Promise<BookingSystemResponse>;
  /** Removes the webhook with this id; one that is already gone is no error. */
  remove(context: BookingSystemContext<S, A>, id: string): Promise<BookingSystemResponse>;
}

interface Webhook {
  readonly id: string;
  readonly url: string | undefined;
  readonly isComplete: boolean;
}

const asOther = { purpose: 'other' } as const;

/** The `webhooks` of a vendor where one webhook gets all calls about bookings. */
export function oneWebhook<S, A extends InstalledAccount>(
  requests: WebhookRequests<S, A>,
): BookingSystemWebhooks<S, A> {
  const { bookingSystem } = requests;
  const raiseFor =
    requests.raiseFor ?? ((response) => raiseForStatus(response, { bookingSystem, ...asOther }));

  async function list(context: BookingSystemContext<S, A>): Promise<readonly Webhook[]> {
    const response = await requests.list(context);
    raiseFor(response, asOther);
    const listed = requests.read(response.data);
    if (listed === undefined) {
      throw new BookingSystemUnavailable(`${bookingSystem} answered without a list of webhooks`);
    }
    return listed.flatMap(({ id, url, isComplete = true }) => {
      const idText = textOf(id);
      return idText === undefined ? [] : [{ id: idText, url: textOf(url), isComplete }];
    });
  }

  async function create(context: BookingSystemContext<S, A>, url: string): Promise<void> {
    raiseFor(await requests.create(context, url), asOther);
    const isListed = (await list(context)).some((hook) => hook.url === url && hook.isComplete);
    if (!isListed) throw new BookingSystemUnavailable(`${bookingSystem} took a webhook and does not list it`);
  }

  async function remove(context: BookingSystemContext<S, A>, { id }: Webhook): Promise<void> {
    const response = await requests.remove(context, id);
    if (response.status !== 404 && response.status !== 410) raiseFor(response, asOther);
  }

  return {
    async register(context, { url, formerUrls }) {
      const there = await list(context);
      const registered = there.find((hook) => hook.url === url && hook.isComplete);
      if (registered === undefined) await create(context, url);
      const own = new Set([url, ...formerUrls]);
      for (const hook of there) {
        if (hook !== registered && hook.url !== undefined && own.has(hook.url)) await remove(context, hook);
      }
    },
    async unregister(context, { urls }) {
      for (const hook of await list(context)) {
        if (hook.url !== undefined && urls.includes(hook.url)) await remove(context, hook);
      }
    },
  };
}
