import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { RouteModule } from '../../http/host-app.ts';
import { poolIdPathSchema, requirePool } from '../admin-paths.ts';
import { webhookNotFound } from './webhook-answer.ts';

interface Services {
  readonly store: Pick<Store, 'webhooks' | 'pools'>;
}

/** `POST …/webhooks/{id}/rotate-secret`: creates a signing secret; the previous one stays valid for 24 hours. */
export const rotateSecretRoute: RouteModule<Services> = (app, services) => {
  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: '/v1/admin/pools/:pool/webhooks/:id/rotate-secret',
    schema: {
      operationId: 'rotateWebhookSecret',
      tags: ['Operators'],
      summary: 'Replace the signing secret, which is shown only once',
      description:
        'For 24 hours, messages carry the signatures of both secrets. A webhook without signing starts to sign.',
      params: poolIdPathSchema,
      response: { 200: z.object({ signingSecret: z.string() }) },
    },
    handler: async ({ params: { pool, id } }) => {
      await requirePool(services, pool);
      const rotated = await services.store.webhooks.rotateSecret(pool, id);
      if (!rotated) throw webhookNotFound();
      return { signingSecret: rotated.signingSecret };
    },
  });
};
