import { randomUUID } from 'node:crypto';
import type { GuestWebhook } from '@waiver-service/core';
import { createWebhookSender } from '@waiver-service/delivery';
import { z } from 'zod';
import { toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { poolIdPathSchema, requirePool } from '../admin-paths.ts';
import { sendTest, testAnswerFields, testMessage } from '../send-test.ts';
import { webhookNotFound } from './webhook-answer.ts';

const testAnswerSchema = z.object({
  ok: z.boolean(),
  guestId: z.string().describe('The id of the made-up guest record that was sent.'),
  status: z.int().optional().describe('The HTTP status of the receiver’s response.'),
  ...testAnswerFields,
});

/** A guest record that cannot pass for a real one, with the fields of contract 2.6 and no answers. */
function testGuest(pool: string, now: Date): GuestWebhook {
  const time = toDateTime(now);
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

/** `POST …/webhooks/{id}/test`: sends a made-up guest record at once and returns the receiver's answer. */
export const testWebhookRoute: RouteModule = (app, services) => {
  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: '/v1/admin/pools/:pool/webhooks/:id/test',
    schema: {
      operationId: 'testWebhook',
      summary: 'Send a made-up guest record now, and return the receiver’s response',
      description:
        'The id of the record begins with `test-`. The record has the fields of contract 2.6 and no further answers.',
      params: poolIdPathSchema,
      response: { 200: testAnswerSchema },
    },
    handler: async ({ params: { pool, id }, signal }) => {
      await requirePool(services, pool);
      const endpoint = await services.store.webhooks.get(pool, id);
      if (!endpoint) throw webhookNotFound();
      const send = createWebhookSender({ outbound: services.outbound, endpointOf: async () => endpoint });
      const body = testGuest(pool, new Date());
      const { id: guestId } = body.guest;
      const destination = endpoint.destinationId;
      const message = testMessage({ id: guestId, kind: 'guest-webhook', pool, destination, body });
      return { guestId, ...(await sendTest(send, message, signal)) };
    },
  });
};
