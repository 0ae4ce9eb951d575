import { randomUUID } from 'node:crypto';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
  type shownAuthSchema,
  testWebhook,
  type webhookAuthSchema,
  type webhookSchema,
} from '@waiver-service/api';
import type { GuestWebhook } from '@waiver-service/core';
import { createWebhookSender, outcomeOf, type Sender } from '@waiver-service/delivery';
import { type HostApp, HttpProblem, malformed, pageOf, type RouteModule } from '@waiver-service/http';
import type { OutboundMessage } from '@waiver-service/outbox';
import {
  CredentialsNeeded,
  maxWebhooksPerPool,
  TooManyWebhooks,
  type WebhookEndpoint,
  type WebhookSettings,
} from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { Outbound, Store } from '../given.ts';
import { checkAddress, requirePool } from './admin-paths.ts';

type WebhookAuth = z.infer<typeof webhookAuthSchema>;

export function shownAuth(auth: WebhookAuth): z.infer<typeof shownAuthSchema> {
  return auth.type === 'header' ? { type: auth.type, name: auth.name } : { type: auth.type };
}

/**
 * Awaits a change of an address.
 * @throws HttpProblem 400 that names `auth` if the credentials must be given again
 */
export async function changedOrProblem<Changed>(change: Promise<Changed>): Promise<Changed> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof CredentialsNeeded) throw malformed([{ path: 'auth', message: error.message }]);
    throw error;
  }
}

/** A message as the dispatcher passes it to a sender. It is not stored, and blocks no lane. */
export const testMessage = ({
  id,
  body,
  ...message
}: Pick<OutboundMessage, 'id' | 'kind' | 'pool' | 'destination'> & {
  readonly body: object;
}): OutboundMessage => ({
  ...message,
  id,
  orderingKey: id,
  waiverId: id,
  version: 1,
  bookingId: null,
  body: JSON.stringify(body),
  attempts: 0,
  inDoubt: false,
  failing: false,
  faults: 0,
  trigger: 'test',
});

/** Sends a test message at once, and returns the receiver's answer. */
export async function sendTest(send: Sender, message: OutboundMessage, signal: AbortSignal) {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const result = await send(message, signal);
    if (result.outcome === 'nothing-written' || result.outcome === 'postponed') {
      throw new Error(`a test of kind ${message.kind} is always sent`);
    }
    const { status, response } = result;
    if (result.outcome === 'accepted') return { ok: true, status, response, durationMs: durationMs() };
    return { ok: false, status, errorCode: result.errorCode, response, durationMs: durationMs() };
  } catch (error) {
    const failure = outcomeOf(error);
    if (!('retry' in failure) || !(error instanceof Error)) throw error;
    const { status, errorCode } = failure;
    return { ok: false, status, errorCode, message: error.message, durationMs: durationMs() };
  }
}

function webhookAnswer(endpoint: WebhookEndpoint): z.input<typeof webhookSchema> {
  const { id, pool, url, auth, properties, signingSecrets, createdAt, updatedAt } = endpoint;
  const signing = signingSecrets.length > 0;
  return { id, pool, url, auth: shownAuth(auth), properties: [...properties], signing, createdAt, updatedAt };
}

/** 409: the pool has reached its limit of webhooks. */
const tooManyWebhooks = () =>
  new HttpProblem(
    409,
    'too_many_webhooks',
    `This pool has ${maxWebhooksPerPool} webhooks, which is the most. Remove one, or let one receiver pass the records on.`,
  );

const webhookNotFound = () =>
  new HttpProblem(404, 'webhook_not_found', 'This pool has no webhook with this id.');

/** The webhooks of a pool (contract 4.3, 5). */
@injectable()
export class WebhookRoutes implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(Outbound) readonly outbound: Outbound,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;
    const create = (pool: string, settings: WebhookSettings) =>
      store.webhooks.create(pool, settings).catch((error: unknown) => {
        throw error instanceof TooManyWebhooks ? tooManyWebhooks() : error;
      });

    app.route({
      ...createWebhook,
      handler: async ({ params: { pool }, body }, reply) => {
        await requirePool(this, pool);
        await checkAddress(this, 'url', body.url);
        const { endpoint, signingSecret } = await create(pool, { properties: [], signing: false, ...body });
        return reply.code(201).send({ ...webhookAnswer(endpoint), signingSecret });
      },
    });

    app.route({
      ...listWebhooks,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(store.webhooks.list(pool, query), webhookAnswer);
      },
    });

    app.route({
      ...readWebhook,
      handler: async ({ params: { pool, id } }) => {
        await requirePool(this, pool);
        const endpoint = await store.webhooks.get(pool, id);
        if (!endpoint) throw webhookNotFound();
        return webhookAnswer(endpoint);
      },
    });

    app.route({
      ...changeWebhook,
      handler: async ({ params: { pool, id }, body }) => {
        await requirePool(this, pool);
        if (body.url !== undefined) await checkAddress(this, 'url', body.url);
        const changed = await changedOrProblem(store.webhooks.update(pool, id, body));
        if (!changed) throw webhookNotFound();
        const { endpoint, signingSecret } = changed;
        return { ...webhookAnswer(endpoint), signingSecret };
      },
    });

    app.route({
      ...deleteWebhook,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (await store.webhooks.remove(pool, id)) return reply.code(204).send(null);
        throw webhookNotFound();
      },
    });

    app.route({
      ...rotateWebhookSecret,
      handler: async ({ params: { pool, id } }) => {
        await requirePool(this, pool);
        const rotated = await store.webhooks.rotateSecret(pool, id);
        if (!rotated) throw webhookNotFound();
        return { signingSecret: rotated.signingSecret };
      },
    });

    this.addTest(app);
  }

  /** `POST …/webhooks/{id}/test`: sends a made-up guest record at once and returns the receiver's answer. */
  private addTest(app: HostApp): void {
    app.route({
      ...testWebhook,
      handler: async ({ params: { pool, id }, signal }) => {
        await requirePool(this, pool);
        const endpoint = await this.store.webhooks.get(pool, id);
        if (!endpoint) throw webhookNotFound();
        const send = createWebhookSender({ outbound: this.outbound, endpointOf: async () => endpoint });
        const body = testGuest(pool, new Date());
        const { id: guestId } = body.guest;
        const destination = endpoint.destinationId;
        const message = testMessage({ id: guestId, kind: 'guest-webhook', pool, destination, body });
        return { guestId, ...(await sendTest(send, message, signal)) };
      },
    });
  }
}

/** A guest record that cannot pass for a real one, with the fields of contract 2.6 and no answers. */
function testGuest(pool: string, now: Date): GuestWebhook {
  const time = now.toISOString();
  return {
    guest: {
      id: `test-${randomUUID()}`,
      pool,
      activities: [],
      createdAt: time,
      updatedAt: time,
      lastVisit: time,
      deleted: false,
      feedback: 'This is a test of the webhook, not a guest.',
      currentPage: null,
      reservationsID: null,
      reservationsService: '',
    },
  };
}
