import { randomUUID } from 'node:crypto';
import type { GuestWebhook } from '@waiver-service/core';
import { createWebhookSender, outcomeOf } from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/outbound';
import type { OutboundMessage, Store, WebhookEndpoint } from '@waiver-service/store';
import { z } from 'zod';
import { toDateTime } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { poolIdPathSchema, requirePool } from '../admin-paths.ts';
import { webhookNotFound } from './webhook-answer.ts';

const testAnswerSchema = z.object({
  ok: z.boolean(),
  guestId: z.string().describe('The id of the made-up guest record that was sent.'),
  status: z.int().optional().describe('What the receiver answered.'),
  errorCode: z.string().optional().describe('As in the attempts of a delivery.'),
  message: z.string().optional().describe('What went wrong where no answer came.'),
  response: z.string().optional().describe('The beginning of the receiver’s answer.'),
  durationMs: z.int(),
});

/** A guest record that no one can take for a guest, with the fields of contract 2.6 and no answers. */
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

// As the dispatcher would have it, but of no lane: nothing is stored, and nothing waits for it.
function testMessage({ pool, destinationId }: WebhookEndpoint, { guest }: GuestWebhook): OutboundMessage {
  return {
    id: guest.id,
    kind: 'guest-webhook',
    pool,
    destination: destinationId,
    orderingKey: guest.id,
    waiverId: guest.id,
    version: 1,
    bookingId: null,
    body: JSON.stringify({ guest }),
    attempts: 0,
    inDoubt: false,
    failing: false,
    faults: 0,
    trigger: 'test',
  };
}

interface Services {
  readonly store: Pick<Store, 'webhooks' | 'pools'>;
  readonly outbound: Outbound;
}

/** `POST …/webhooks/{id}/test`: sends a made-up guest record at once and says what came back. */
export const testWebhookRoute: RouteModule<Services> = (app, services) => {
  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: '/v1/admin/pools/:pool/webhooks/:id/test',
    schema: {
      operationId: 'testWebhook',
      tags: ['Operators'],
      summary: 'Send a made-up guest record now, and say what came back',
      description: 'The record’s id begins with `test-`; it has the fields of contract 2.6 and no answers.',
      params: poolIdPathSchema,
      response: { 200: testAnswerSchema },
    },
    handler: async ({ params: { pool, id }, signal }) => {
      await requirePool(services, pool);
      const endpoint = await services.store.webhooks.get(pool, id);
      if (!endpoint) throw webhookNotFound();
      const send = createWebhookSender({ outbound: services.outbound, endpointOf: async () => endpoint });
      const guest = testGuest(pool, new Date());
      const guestId = guest.guest.id;
      const startedAt = performance.now();
      try {
        const result = await send(testMessage(endpoint, guest), signal);
        const durationMs = Math.round(performance.now() - startedAt);
        if (result.outcome === 'nothing-written' || result.outcome === 'postponed') {
          throw new Error('a webhook is always sent');
        }
        const { status, response } = result;
        if (result.outcome === 'accepted') return { ok: true, guestId, status, response, durationMs };
        return { ok: false, guestId, status, errorCode: result.errorCode, response, durationMs };
      } catch (error) {
        const failure = outcomeOf(error);
        if (!('retry' in failure) || !(error instanceof Error)) throw error;
        const { status, errorCode } = failure;
        const durationMs = Math.round(performance.now() - startedAt);
        return { ok: false, guestId, status, errorCode, message: error.message, durationMs };
      }
    },
  });
};
