import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { type ReceivedRequest, startWebhookReceiver } from '@waiver-service/simulator';
import { describe, expect, test } from 'vitest';
import { startProgram, wrongClock } from '../harness/program.ts';

const day = 86_400_000;
const hour = 3_600_000;

const guestIn = ({ body }: ReceivedRequest): { readonly id: string; readonly updatedAt: string } =>
  JSON.parse(body.toString()).guest;

/** A receiver with a pool, and hosts on one database, each with its own clock. */
async function startHosts(...clocks: readonly Readonly<Record<string, string>>[]) {
  const database = await createTestDatabase();
  const receiver = await startWebhookReceiver();
  const variables = {
    DATABASE_URL: database.url,
    RETRY_SCHEDULE: '0s,1500ms,1500ms',
    OUTBOUND_TIMEOUT: '10s',
  };
  const hosts = await Promise.all(clocks.map((clock) => startProgram({ ...variables, ...clock })));
  const [first] = hosts;
  if (first === undefined) throw new Error('no host');
  await first.makePool('p');
  await first.done('POST', '/v1/admin/pools/p/webhooks', {
    url: receiver.url,
    auth: { type: 'none' },
    signing: true,
  });
  const close = async () => {
    for (const host of hosts) expect(await host.stop()).toBe(0);
    await receiver.close();
    await database.drop();
  };
  return { hosts, first, receiver, close };
}

describe('a host whose clock is wrong goes by the database’s', () => {
  test.concurrent.each([
    ['a day behind, and an hour further at each step', wrongClock(-day, -hour)],
    ['right at first, and two hours further ahead at each step', wrongClock(0, 2 * hour)],
  ])(
    '%s: retries are neither early nor late, versions in order',
    async (_what, clock) => {
      const { first, receiver, close } = await startHosts(clock);
      const refusal = { kind: 'status', status: 503 } as const;
      receiver.faults.next('webhook', refusal);
      await first.done('POST', '/v1/pools/p/waivers', { id: 'W-1', answers: { name: 'Ada' } });
      await receiver.untilReceived('webhook', 1);
      first.spawned.process.kill('SIGUSR2');
      const [refused, again] = await receiver.untilReceived('webhook', 2);
      const waitedMs = (again?.at.getTime() ?? Number.NaN) - (refused?.at.getTime() ?? Number.NaN);
      // A fifth more or less; and up to a second until it is looked for, on a machine that is busy.
      expect(waitedMs).toBeGreaterThan(1_150);
      expect(waitedMs).toBeLessThan(10_000);

      receiver.faults.next('webhook', { kind: 'status', status: 429, retryAfter: 1 });
      for (const currentPage of ['one', 'two', 'three']) {
        const count = receiver.received.length;
        await first.done('PATCH', '/v1/pools/p/waivers/W-1', { currentPage });
        first.spawned.process.kill('SIGUSR2');
        await receiver.untilReceived('webhook', count + 1);
      }
      const { updatedAt } = await first.done('GET', '/v1/pools/p/waivers/W-1');
      const received = await receiver.untilReceived('webhook', (requests) =>
        requests.some(
          (request) => guestIn(request).updatedAt === updatedAt && request.answer?.status === 200,
        ),
      );
      // The test says nothing where the clock is right. Signatures carry the host's own time.
      const signedAt = Number(received.at(-1)?.headers['webhook-timestamp']) * 1_000;
      expect(Math.abs(signedAt - Date.now())).toBeGreaterThan(hour / 2);
      const times = received.map((request) => guestIn(request).updatedAt);
      expect(times).toEqual(times.toSorted());
      // Guests see when their record changed: by the clock that all hosts share.
      expect(Math.abs(Date.parse(updatedAt) - Date.now())).toBeLessThan(60_000);
      await close();
    },
    60_000,
  );

  test.concurrent('beside one whose clock is right: it takes no message from it', async () => {
    const { hosts, first, receiver, close } = await startHosts({}, wrongClock(day, day));
    receiver.faults.always('webhook', { kind: 'latency', milliseconds: 2_000 });
    for (const id of ['W-1', 'W-2', 'W-3', 'W-4']) {
      await first.done('POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });
    }
    await receiver.untilReceived('webhook', 4);
    for (let step = 0; step < 4; step += 1) {
      hosts[1]?.spawned.process.kill('SIGUSR2');
      await delay(400);
    }
    await receiver.untilReceived('webhook', (requests) =>
      requests.every(({ answer }) => answer?.status === 200),
    );
    expect(receiver.received.map((request) => guestIn(request).id).toSorted()).toEqual([
      'W-1',
      'W-2',
      'W-3',
      'W-4',
    ]);
    await close();
  }, 60_000);
});
