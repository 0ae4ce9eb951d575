import { expect, onTestFinished, test } from 'vitest';
import { callInTurn, createFleet } from '../harness/fleet.ts';
import { report } from '../harness/form.ts';
import { keepSigning, messagesOutOfOrder } from '../harness/keep-signing.ts';
import { machines, startPatroniCluster, whyNoPatroni } from '../harness/patroni-cluster.ts';
import { expectOnlyUnavailable, lostWrites, untilRecorded } from '../harness/recorded-writes.ts';
import { until } from '../harness/test-host.ts';
import { startTimedReceiver } from '../harness/timed-receiver.ts';

const kills = 20;
// Longer than a leader that cannot reach etcd would remain one.
const etcdAwayMs = 40_000;

test(`three machines with Patroni under load, ${kills} leaders killed, one cut off, etcd lost, one made again: nothing lost, nothing out of order, hosts go on by themselves`, async (context) => {
  const obstacle = whyNoPatroni();
  if (obstacle !== undefined) return context.skip(obstacle);
  const cluster = await startPatroniCluster();
  onTestFinished(() => cluster.remove());
  const receiver = await startTimedReceiver(() => 'taken');
  onTestFinished(() => receiver.close());
  const fleet = createFleet({
    DATABASE_URL: cluster.url,
    // After an attempt lost to our fault, the backoff would outlast this test.
    RETRY_SCHEDULE: ['0s', ...Array(9).fill('1h')].join(','),
    // The receiver shares two cores with all of this.
    OUTBOUND_TIMEOUT: '30s',
    LOG_LEVEL: 'fatal',
  });
  const host = await fleet.join();
  await fleet.join();
  const token = await host.makePool('p');
  await host.connect('standard', { url: `${receiver.url}/system` }, 'p');
  const url = `${receiver.url}/webhook`;
  await host.done('POST', '/v1/admin/pools/p/webhooks', { url, auth: { type: 'none' } });
  const load = keepSigning(callInTurn(fleet, token));

  /**
   * Breaks something under load and watches for a while; returns the longest time in which no write was accepted, of
   * those that began afterwards.
   */
  async function awayMs(fault: () => void | Promise<void>, watchMs = 0): Promise<number> {
    const before = receiver.messages.length;
    await until(() => receiver.messages.length > before + 40, 'messages to arrive', 60_000);
    const brokenAt = performance.now();
    await fault();
    const faultedAt = performance.now();
    const later = () => load.accepted.filter(({ at, durationMs }) => at - durationMs > faultedAt);
    await until(
      () => later().length > 0 && performance.now() > faultedAt + watchMs,
      'a write to be accepted',
      watchMs + 120_000,
    );
    const moments = [brokenAt, ...later().map(({ at }) => at)];
    return Math.max(...moments.map((at, place) => at - (moments[place - 1] ?? at)));
  }

  const away: Record<string, number[]> = {};
  const note = (fault: string, ms: number) => {
    away[fault] = [...(away[fault] ?? []), ms];
  };
  for (let round = 0; round < kills; round += 1) {
    const leader = await cluster.leader();
    if (round % 2 === 0) note('PostgreSQL killed', await awayMs(() => cluster.killServer(leader)));
    else {
      note('machine killed', await awayMs(() => cluster.killMachine(leader)));
      cluster.startMachine(leader);
    }
    await cluster.untilWhole();
  }

  const former = await cluster.leader();
  note('leader cut off', await awayMs(() => cluster.cutOff(former)));
  expect(await cluster.leader()).not.toBe(former);
  await cluster.reconnect(former);
  await cluster.untilWhole();

  const leader = await cluster.leader();
  note('etcd of the leader lost', await awayMs(() => cluster.killEtcd(leader), etcdAwayMs));
  cluster.startEtcd(leader);
  await cluster.untilWhole();
  const killEtcds = async () => {
    for (const machine of machines) await cluster.killEtcd(machine);
  };
  note('all of etcd lost', await awayMs(killEtcds, etcdAwayMs));
  for (const machine of machines) cluster.startEtcd(machine);
  await cluster.untilWhole();

  const standby = await cluster.synchronousStandby();
  note('synchronous standby killed', await awayMs(() => cluster.killMachine(standby)));
  cluster.deleteData(standby);
  cluster.startMachine(standby);
  await cluster.untilWhole();

  const last = await load.end();
  await untilRecorded({ host, receiver }, last);
  const lost = await lostWrites({ host, token, load });
  const outOfOrder = messagesOutOfOrder(receiver.messages);
  const seconds = (ms: readonly number[]) =>
    ms
      .toSorted((one, other) => one - other)
      .map((each) => (each / 1_000).toFixed(1))
      .join(' ');
  report({
    'writes accepted': load.accepted.length,
    messages: receiver.messages.length,
    lost: lost.length,
    'out of order': outOfOrder.length,
    'answers 503': load.refusals.length,
    ...Object.fromEntries(
      Object.entries(away).map(([fault, ms]) => [`${fault}, s without writes`, seconds(ms)]),
    ),
  });
  expect(lost).toEqual([]);
  expect(outOfOrder).toEqual([]);
  expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
  expectOnlyUnavailable(load);
  for (const state of ['dead', 'held', 'cancelled'])
    expect(await fleet.all(`/v1/admin/deliveries?state=${state}&`)).toEqual([]);
  for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
}, 3_600_000);
