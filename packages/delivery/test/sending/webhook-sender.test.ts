import { createOutbound } from '@waiver-service/outbound';
import type { ClaimedDelivery, WebhookEndpoint } from '@waiver-service/store';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookSender } from '../../src/index.ts';
import { startReceiver, status } from '../setup/receiver.ts';

const message: ClaimedDelivery = {
  id: 'message-1',
  kind: 'guest-webhook',
  pool: 'p1',
  destination: 'destination-1',
  orderingKey: 'waiver-1',
  leaseToken: 'lease-1',
  waiverId: 'waiver-1',
  version: 1,
  bookingId: null,
  body: '{"guest":{}}',
  attempts: 0,
  inDoubt: false,
  failing: false,
  faults: 0,
  trigger: 'schedule',
};

async function sendTo(url: string) {
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5_000 });
  onTestFinished(() => outbound.close());
  const at = new Date();
  const endpoint: WebhookEndpoint = {
    id: 'endpoint-1',
    pool: 'p1',
    url,
    auth: { type: 'none' },
    properties: [],
    signingSecrets: [],
    destinationId: 'destination-1',
    createdAt: at,
    updatedAt: at,
  };
  const send = createWebhookSender({ outbound, endpointOf: () => Promise.resolve(endpoint) });
  return send(message, new AbortController().signal);
}

test('a Retry-After with a date means the time from the receiver’s own date on, however wrong its clock', async () => {
  const receiver = await startReceiver(
    status(503, { date: 'Sat, 01 Jan 2000 00:00:00 GMT', 'retry-after': 'Sat, 01 Jan 2000 00:02:00 GMT' }),
  );
  await expect(sendTo(receiver.url)).resolves.toMatchObject({ outcome: 'refused', retryAfterMs: 120_000 });
});
