import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase } from '@waiver-service/database/testing';
import { report, until } from '@waiver-service/testing';
import { expect, test } from 'vitest';
import { createFleet, type Fleet } from '../harness/fleet.ts';
import { messagesOutOfOrder, nameOf } from '../harness/keep-signing.ts';
import type { Program } from '../harness/program.ts';
import { undelivered, untilNothingWaits } from '../harness/recorded-writes.ts';
import { startTimedReceiver } from '../harness/timed-receiver.ts';

const rounds = 100;
const waivers = 60;
const callers = 4;
const destinations = ['system', 'webhook-a', 'webhook-b'];

/** How often each stands there. */
function tally(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** A pool with an installation and two webhooks; returns the destinations' names by their ids. */
async function furnish(host: Program, receiverUrl: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  await host.makePool('p');
  for (const name of destinations) {
    const url = `${receiverUrl}/${name}`;
    if (name === 'system') await host.connect('standard', { url }, 'p');
    else await host.done('POST', '/v1/admin/pools/p/webhooks', { url, auth: { type: 'none' } });
    const { items } = await host.done('GET', '/v1/admin/destinations');
    for (const { id } of items) if (!names.has(id)) names.set(id, name);
  }
  return names;
}

/** The messages being sent, by destination, waiver and the time of the version. */
async function onTheirWay(fleet: Fleet, names: Map<string, string>): Promise<string[]> {
  const sending = await fleet.all('/v1/admin/deliveries?state=sending&');
  return Promise.all(
    sending.map(async ({ id, destination }) => {
      const { body } = await fleet.done('GET', `/v1/admin/deliveries/${id}`);
      const { waiver, guest } = body;
      const { id: waiverId, updatedAt } = waiver ?? guest;
      return `${names.get(destination)} ${waiverId} ${updatedAt}`;
    }),
  );
}

/** Updates the waivers until it is told to end, each caller its own, without a long pause. */
function keepUpdating(fleet: Fleet) {
  let isOver = false;
  let updates = 0;
  const calling = Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let step = 0; !isOver; step += 1) {
        const waiver = caller + callers * (step % (waivers / callers));
        await fleet.done('PATCH', `/v1/pools/p/waivers/W-${waiver}`, { currentPage: `step-${step}` });
        updates += 1;
        await delay(25);
      }
    }),
  );
  calling.catch(() => {});
  return {
    async end(): Promise<number> {
      isOver = true;
      await calling;
      return updates;
    },
  };
}

test(`${rounds} hosts killed under load while others join and leave: nothing lost, nothing out of order, only in-flight messages twice`, async () => {
  const database = await createTestDatabase();
  const receiver = await startTimedReceiver(() => 'taken');
  const fleet = createFleet({
    DATABASE_URL: database.url,
    // A delivery is a dead letter after as many lost leases.
    RETRY_SCHEDULE: Array(20).fill('0s').join(','),
    DELIVERY_CONCURRENCY: '16',
    LOG_LEVEL: 'error',
  });
  const [first] = await Promise.all([fleet.join(), fleet.join()]);
  const names = await furnish(first, receiver.url);
  for (let index = 0; index < waivers; index += 1) {
    const waiver = { id: `W-${index}`, bookingId: `B-${index % 7}`, answers: { name: 'Ada' } };
    await fleet.done('POST', '/v1/pools/p/waivers', waiver);
  }
  const load = keepUpdating(fleet);

  const inFlight: string[] = [];
  const guests: Program[] = [];
  for (let kills = 0; kills < rounds; kills += 1) {
    await receiver.untilMore();
    const [victim] = fleet.hosts.filter((host) => !guests.includes(host));
    if (victim === undefined) throw new Error('no host is left');
    fleet.leave(victim);
    // It is stopped while we look: sent but unrecorded messages are in flight now.
    victim.spawned.process.kill('SIGSTOP');
    inFlight.push(...(await onTheirWay(fleet, names)));
    victim.spawned.process.kill('SIGKILL');
    expect(await victim.spawned.ended).toBe('SIGKILL');
    await fleet.join();
    // Two more come, and go again in good order.
    if (guests.length < 2) guests.push(await fleet.join());
    else {
      for (const leaving of guests.splice(0)) {
        fleet.leave(leaving);
        expect(await leaving.stop()).toBe(0);
      }
    }
  }
  const updates = await load.end();

  const last = new Map<string, string>();
  for (let index = 0; index < waivers; index += 1) {
    const { updatedAt } = await fleet.done('PATCH', `/v1/pools/p/waivers/W-${index}`, {
      currentPage: null,
    });
    last.set(`W-${index}`, updatedAt);
  }
  const expected = destinations.flatMap((destination) =>
    [...last].map(([id, at]) => `${destination} ${id} ${at}`),
  );
  const lost = () => {
    const arrived = new Set(receiver.messages.map(nameOf));
    return expected.filter((message) => !arrived.has(message));
  };
  // The leases of those that were killed run out first.
  await until(() => lost().length === 0, 'the last version of every waiver to arrive everywhere', 60_000);
  await untilNothingWaits(fleet);

  const outOfOrder = messagesOutOfOrder(receiver.messages);
  const allowed = tally(inFlight);
  const again = [...tally(receiver.messages.map(nameOf))].filter(([, count]) => count > 1);
  report({
    kills: rounds,
    updates,
    messages: receiver.messages.length,
    lost: lost().length,
    'out of order': outOfOrder.length,
    duplicates: again.reduce((sum, [, count]) => sum + count - 1, 0),
    'on their way at the kills': inFlight.length,
  });
  expect(outOfOrder).toEqual([]);
  expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
  // Once more at most for each kill that it was on its way at. No kill must have come when nothing was.
  expect(again.filter(([message, count]) => count - 1 > (allowed.get(message) ?? 0))).toEqual([]);
  expect(inFlight.length).toBeGreaterThan(0);
  expect(await undelivered(fleet)).toEqual([]);
  for (const host of fleet.hosts) expect(await host.stop()).toBe(0);
  await receiver.close();
  await database.drop();
}, 3_600_000);
