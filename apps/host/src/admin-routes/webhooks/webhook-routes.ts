import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
} from '@waiver-service/api';
import { TooManyWebhooks, type WebhookSettings } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { Outbound, Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { pageOf } from '../../http/pages.ts';
import { requirePool } from '../admin-paths.ts';
import { checkAddress } from '../checked-address.ts';
import { tooManyWebhooks, webhookAnswer, webhookNotFound } from './webhook-answer.ts';
import { changedOrProblem } from './webhook-auth.ts';

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
        const { endpoint, signingSecret } = await create(pool, {
          url: body.url,
          auth: body.auth,
          properties: body.properties ?? [],
          signing: body.signing ?? false,
        });
        return reply
          .code(201)
          .send({ ...webhookAnswer(endpoint), ...(signingSecret ? { signingSecret } : {}) });
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
        return { ...webhookAnswer(endpoint), ...(signingSecret ? { signingSecret } : {}) };
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
  }
}
