import { randomUUID } from 'node:crypto';
import { testWebhook } from '@waiver-service/api';
import type { GuestWebhook } from '@waiver-service/core';
import { createWebhookSender } from '@waiver-service/delivery';
import { inject, injectable } from 'inversify';
import { Outbound, Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { requirePool } from '../admin-paths.ts';
import { sendTest, testMessage } from '../send-test.ts';
import { webhookNotFound } from './webhook-answer.ts';

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

/** `POST …/webhooks/{id}/test`: sends a made-up guest record at once and returns the receiver's answer. */
@injectable()
export class TestWebhookRoute implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(Outbound) readonly outbound: Outbound,
  ) {}

  addRoutes(app: HostApp): void {
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
