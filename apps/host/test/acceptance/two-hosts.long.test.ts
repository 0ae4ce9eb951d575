import { createTestDatabase, untilShardsShared } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';
import { until } from '../harness/test-host.ts';
import { type Reception, startTimedReceiver, type TimedMessage } from '../harness/timed-receiver.ts';

const waivers = 50;
// One host sends to one destination, by chance: with so many it is as good as certain that each host has some.
const webhooks = Array.from({ length: 12 }, (_, index) => `webhook-${index}`);
const destinations = ['system', ...webhooks];

/** Every tenth message or so goes wrong. */
function receive(): Reception {
  const chance = Math.random();
  if (chance < 0.05) return 'refused';
  return chance < 0.1 ? 'reset' : 'taken';
}

/** Runs `work` for each number, a few at a time. */
async function forEachOf(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function attemptsOf(program: Program): Promise<number> {
  const { body } = await program.call('GET', '/metrics');
  const counts = [...String(body).matchAll(/^waiver_service_delivery_attempts_total\{[^}]*\} (\d+)$/gm)].map(
    ([, count]) => Number(count),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const laneOf = ({ destination, waiverId }: TimedMessage) => `${destination} ${waiverId}`;

test(`two hosts on one PostgreSQL: ${waivers} waivers in several versions to ${destinations.length} destinations with faults`, async () => {
  const database = await createTestDatabase();
  const receiver = await startTimedReceiver(receive);
  const variables = { DATABASE_URL: database.url, RETRY_SCHEDULE: Array(20).fill('0s').join(',') };
  const hosts = await Promise.all([startProgram(variables), startProgram(variables)]);
  const [first] = hosts;
  await untilShardsShared(database.url, hosts.length);
  await first.makePool('p');
  await first.connect('standard', { url: `${receiver.url}/system` }, 'p');
  for (const webhook of webhooks) {
    const url = `${receiver.url}/${webhook}`;
    await first.done('POST', '/v1/admin/pools/p/webhooks', { url, auth: { type: 'none' } });
  }

  // Each waiver's changes go now to the one host, now to the other; they overtake each other as they like.
  const hostFor = (number: number): Program => hosts[number % 2] ?? first;
  const versions = new Map<string, string>();
  await forEachOf(waivers, 16, async (index) => {
    const path = `/v1/pools/p/waivers/W-${index}`;
    const waiver = {
      id: `W-${index}`,
      bookingId: `B-${index % 7}`,
      currentPage: 'first',
      answers: { name: 'Ada' },
    };
    await hostFor(index).done('POST', '/v1/pools/p/waivers', waiver);
    await Promise.all(
      ['rules', 'health', 'signature'].map((currentPage, step) =>
        hostFor(index + step).done('PATCH', path, { currentPage }),
      ),
    );
    const last = index % 5 === 0 ? await hostFor(index).done('POST', `${path}/void`) : undefined;
    const record = last ?? (await hostFor(index + 1).done('PATCH', path, { currentPage: null }));
    versions.set(`W-${index}`, record.updatedAt);
  });

  const isLast = ({ waiverId, updatedAt }: TimedMessage) => versions.get(waiverId) === updatedAt;
  await until(
    () => {
      const arrived = receiver.messages.filter((message) => message.status === 200 && isLast(message));
      return new Set(arrived.map(laneOf)).size === waivers * destinations.length;
    },
    'the last version of every waiver to arrive everywhere',
    60_000,
  );
  await until(async () => {
    const { items } = await first.done('GET', '/v1/admin/destinations');
    return items.every((item: { waiting: number }) => item.waiting === 0);
  }, 'everything to be recorded');

  expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
  for (const [lane, messages] of Map.groupBy(receiver.messages, laneOf)) {
    const times = messages.map(({ updatedAt }) => updatedAt);
    expect([lane, times]).toEqual([lane, times.toSorted()]);
    expect([lane, times.at(-1)]).toEqual([lane, versions.get(lane.split(' ')[1] ?? '')]);
  }
  // The test says nothing where one of them did all the work, or where nothing went wrong.
  for (const host of hosts) expect(await attemptsOf(host)).toBeGreaterThan(waivers / 2);
  expect(receiver.messages.filter(({ status }) => status !== 200).length).toBeGreaterThan(20);
  for (const state of ['dead', 'held', 'cancelled']) {
    expect((await first.done('GET', `/v1/admin/deliveries?state=${state}`)).items).toEqual([]);
  }
  for (const host of hosts) expect(await host.stop()).toBe(0);
  await receiver.close();
  await database.drop();
});
