import {
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
} from '@waiver-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConnectedHost,
  startConnectedHost,
  startSystemFor,
  type TestCaller,
  textAt,
} from '../harness/connected-host.ts';

let host: ConnectedHost;
let system: SimulatedBookingSystem;
let receiver: SimulatedWebhookReceiver;
let app: TestCaller;

const waivers = '/v1/pools/rafting/waivers';

beforeAll(async () => {
  [host, system, receiver] = await Promise.all([
    startConnectedHost(),
    startSystemFor('standard'),
    startWebhookReceiver(),
  ]);
  app = await host.makePool('rafting');
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

/** The webhooks of a waiver, once there are that many. */
async function webhooksOf(id: string, count: number): Promise<Message[]> {
  const requests = await receiver.untilReceived(
    'webhook',
    (all) => messagesOf(all, 'guest', id).length >= count,
  );
  return messagesOf(requests, 'guest', id);
}

describe('the messages of a waiver', () => {
  it('each step of a multi-step waiver is an update with the same id and a later time', async () => {
    const id = 'steps';
    const link = { bookingId: 'BK-1001', bookingGuestId: 'G-1' };
    await app('POST', waivers, { id, ...link, currentPage: 'page-1', answers: { name: 'Ann' } });
    await updatesOf(id, 1);
    await webhooksOf(id, 1);
    await app('PATCH', `${waivers}/${id}`, { currentPage: 'page-2', answers: { email: 'ann@example.com' } });
    await updatesOf(id, 2);
    await webhooksOf(id, 2);
    await app('PATCH', `${waivers}/${id}`, { currentPage: null });
    const updates = await updatesOf(id, 3);
    expect(updates.map(({ path }) => path.split('?')[0])).toEqual(
      Array(3).fill('/bookings/BK-1001/guests/G-1'),
    );
    const times = updates.map(({ content }) => content.updatedAt);
    expect(times).toEqual([...new Set(times)].sort());
    const webhooks = await webhooksOf(id, 3);
    expect(webhooks.map(({ content }) => content)).toMatchObject([
      { currentPage: 'page-1', name: 'Ann', reservationsID: 'BK-1001', reservationsService: 'standard' },
      { currentPage: 'page-2' },
      { currentPage: null },
    ]);
    // The contract's seven fields, and not one answer.
    for (const { content } of updates) {
      expect(Object.keys(content)).toEqual([
        'id',
        'pool',
        'bookingId',
        'bookingGuestId',
        'lastVisit',
        'deleted',
        'updatedAt',
      ]);
    }
  });

  it('a move takes the waiver back from the former booking first', async () => {
    const id = 'moves';
    await app('POST', waivers, { id, bookingId: 'BK-1001', answers: { name: 'Ann' } });
    await updatesOf(id, 1);
    const { body } = await app('PATCH', `${waivers}/${id}`, { bookingId: 'BK-1002' });
    const updates = await updatesOf(id, 3);
    expect(updates.map(({ content }) => content)).toMatchObject([
      { bookingId: 'BK-1001', deleted: false },
      { bookingId: 'BK-1001', deleted: true },
      { bookingId: 'BK-1002', deleted: false, updatedAt: textAt(body, 'updatedAt') },
    ]);
    expect(updates[2]?.path).toMatch(/^\/bookings\/BK-1002\/guests\/moves/);
  });

  it('a void takes it back, and is the last word', async () => {
    const id = 'voided';
    await app('POST', waivers, { id, bookingId: 'BK-1001', answers: { name: 'Ann' } });
    await updatesOf(id, 1);
    await app('POST', `${waivers}/${id}/void`);
    await app('POST', `${waivers}/${id}/void`);
    expect(await updatesOf(id, 2)).toMatchObject([
      { content: { deleted: false } },
      { content: { deleted: true } },
    ]);
    expect(system.waivers.has(id)).toBe(false);
    const read = async () => (await app('GET', `${waivers}/${id}`)).body.deliveries;
    await expect
      .poll(read)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'guest-update', version: 2, state: 'delivered' }),
        ]),
      );
    expect(await read()).toHaveLength(4);
  });

  it('a walk-in sends no Guest Update until a booking is attached', async () => {
    const id = 'walk-in';
    await app('POST', waivers, { id, answers: { name: 'Ann' } });
    expect(await webhooksOf(id, 1)).toMatchObject([
      { content: { reservationsID: null, reservationsService: '', activities: [] } },
    ]);
    await app('PATCH', `${waivers}/${id}`, { bookingId: 'BK-1001' });
    expect(await updatesOf(id, 1)).toMatchObject([{ content: { bookingId: 'BK-1001', deleted: false } }]);
  });

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
