import { createTestDatabase } from '@waiver-service/database/testing';
import { type ReceivedRequest, startWebhookReceiver } from '@waiver-service/simulator';
import { isLong, startSystemFor } from '@waiver-service/testing';
import { describe, expect, test } from 'vitest';
import { lockTable } from '../harness/own-postgres.ts';
import { type Program, startProgram } from '../harness/program.ts';

interface Sent {
  readonly id: string;
  readonly bookingId?: string;
  readonly deleted: boolean;
  readonly updatedAt: string;
}

function sentIn({ body }: ReceivedRequest): Sent {
  const { waiver, guest } = JSON.parse(body.toString());
  return waiver ?? guest;
}

/**
 * The changes while the first version is sent but not recorded, and the updates that the booking system then receives.
 */
const rounds = [
  {
    name: 'further steps',
    changes: [
      ['PATCH', '', { currentPage: 'rules', answers: { feedback: 'one' } }],
      ['PATCH', '', { currentPage: null, answers: { feedback: 'two' } }],
    ],
    after: [['BK-1001', false]],
  },
  { name: 'a void', changes: [['POST', '/void', undefined]], after: [['BK-1001', true]] },
  {
    name: 'a move to another booking',
    changes: [['PATCH', '', { bookingId: 'BK-1002', bookingGuestId: 'G-2' }]],
    after: [
      ['BK-1001', true],
      ['BK-1002', false],
    ],
  },
] as const;

const waiverIds = ['W-1', 'W/2 é'];

async function sign(host: Program, id: string): Promise<void> {
  const answers = { name: 'Zoë Bäcker' };
  const waiver = { id, bookingId: 'BK-1001', bookingGuestId: 'G-1', currentPage: 'first', answers };
  await host.done('POST', '/v1/pools/p/waivers', waiver);
}

describe('a host that is killed between a receiver’s 200 and the record of it', () => {
  test.concurrent.each(isLong ? rounds : rounds.slice(0, 1))(
    '$name: the same body arrives again, then the newer one',
    async ({ changes, after }) => {
      const database = await createTestDatabase();
      const system = await startSystemFor('standard');
      const receiver = await startWebhookReceiver();
      const first = await startProgram({ DATABASE_URL: database.url });
      await first.makePool('p');
      await first.connect('standard', system, 'p');
      const webhook = { url: receiver.url, auth: { type: 'none' }, signing: true };
      await first.done('POST', '/v1/admin/pools/p/webhooks', webhook);

      const attempts = await lockTable(database.url, 'attempt');
      for (const id of waiverIds) await sign(first, id);
      await system.untilReceived('guest-update', waiverIds.length);
      await receiver.untilReceived('webhook', waiverIds.length);
      // The host has the responses and is about to record them.
      await attempts.untilBlocked();
      for (const id of waiverIds) {
        const path = `/v1/pools/p/waivers/${encodeURIComponent(id)}`;
        for (const [method, end, body] of changes) await first.done(method, path + end, body);
      }
      first.spawned.process.kill('SIGKILL');
      expect(await first.spawned.ended).toBe('SIGKILL');
      await attempts.release();
      expect([...system.received, ...receiver.received].map((request) => request.answer?.status)).toEqual(
        Array(2 * waiverIds.length).fill(200),
      );

      const second = await startProgram({ DATABASE_URL: database.url });
      for (const id of waiverIds) {
        const path = `/v1/pools/p/waivers/${encodeURIComponent(id)}`;
        const { updatedAt } = await second.done('GET', path);
        const ofWaiver = (requests: readonly ReceivedRequest[]) =>
          requests.filter((request) => request.route !== 'read' && sentIn(request).id === id);
        const isLast = (requests: readonly ReceivedRequest[]) =>
          requests.some((request) => sentIn(request).id === id && sentIn(request).updatedAt === updatedAt);
        // The leases of the killed host run out first.
        const updates = ofWaiver(await system.untilReceived('guest-update', isLast, 60_000));
        const webhooks = ofWaiver(await receiver.untilReceived('webhook', isLast, 60_000));

        for (const [lost, again, ...newer] of [updates, webhooks]) {
          expect(again?.body.equals(lost?.body ?? Buffer.of())).toBe(true);
          expect(again?.path).toBe(lost?.path);
          const times = [lost, ...newer].map((request) => request && sentIn(request).updatedAt);
          expect(times).toEqual([...new Set(times)].sort());
          expect(times.at(-1)).toBe(updatedAt);
        }
        expect(updates.slice(2).map(sentIn)).toEqual(
          after.map(([bookingId, deleted]) => expect.objectContaining({ bookingId, deleted })),
        );
        expect(new Set(webhooks.slice(0, 2).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
        const { deliveries } = await second.done('GET', path);
        const states = deliveries.map(({ state }: { state: string }) => state);
        expect(states).not.toContain('dead');
      }
      expect(await second.stop()).toBe(0);
      await Promise.all([system.close(), receiver.close()]);
      await database.drop();
    },
    100_000,
  );
});
