import {
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
} from '@waiver-service/simulator';
import { startSystemFor, startTestHost, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let host: TestHost;
let system: SimulatedBookingSystem;
let receiver: SimulatedWebhookReceiver;

beforeAll(async () => {
  [host, system, receiver] = await Promise.all([
    startTestHost(),
    startSystemFor('standard'),
    startWebhookReceiver(),
  ]);
  await host.makePool('rafting');
  await host.connect('standard', system, 'rafting');
  await host.admin('POST', '/v1/admin/pools/rafting/webhooks', {
    url: receiver.url,
    auth: { type: 'none' },
    properties: ['name'],
  });
});
afterAll(async () => {
  await host?.close();
  await Promise.all([system?.close(), receiver?.close()]);
});

interface Message {
  readonly path: string;
  readonly content: { readonly id: string; readonly updatedAt: string; readonly deleted: boolean };
}

const messagesOf = (
  requests: readonly { path: string; body: Buffer }[],
  field: string,
  id: string,
): Message[] =>
  requests
    .map(({ path, body }) => ({ path, content: JSON.parse(body.toString())[field] }))
    .filter(({ content }) => content.id === id);

/** The Guest Updates of a waiver, once there are that many. */
async function updatesOf(id: string, count: number): Promise<Message[]> {
  const requests = await system.untilReceived(
    'guest-update',
    (all) => messagesOf(all, 'waiver', id).length >= count,
  );
  return messagesOf(requests, 'waiver', id);
}

describe('the messages of a waiver', () => {
  it('shared answers are sent', async () => {
    const pool = await host.makePool('sharing');
    await host.connect('standard', system, 'sharing');
    const installation = '/v1/admin/pools/sharing/installations/standard';
    await host.admin('PATCH', installation, { shareProperties: ['howHeard', 'absent'] });
    const answers = { name: 'Ann', howHeard: 'a friend', email: 'ann@example.com' };
    await pool('POST', '/v1/pools/sharing/waivers', { id: 'shares', bookingId: 'BK-1001', answers });
    const [update] = await updatesOf('shares', 1);
    expect(update?.content).toMatchObject({ howHeard: 'a friend' });
    expect(JSON.stringify(update?.content)).not.toContain('ann@example.com');
  });
});
