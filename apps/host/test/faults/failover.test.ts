import { expect, onTestFinished, test } from 'vitest';
import { callInTurn, createFleet } from '../harness/fleet.ts';
import { inForm, isLong, report } from '../harness/form.ts';
import {
  type AcceptedWrite,
  keepSigning,
  messagesOutOfOrder,
  missingMessages,
  nameOf,
} from '../harness/keep-signing.ts';
import {
  type LostConnections,
  type ReplicationOptions,
  startReplicatedPostgres,
} from '../harness/replicated-postgres.ts';
import { until } from '../harness/test-host.ts';
import { startTimedReceiver } from '../harness/timed-receiver.ts';

const rounds = inForm({ short: 1, long: 20 });
const destinations = ['system', 'webhook'];
// As far apart as two zones of a region, and their network is slow: unreplicated commits are lost.
const linkDelayMs = 20;

/** Two hosts under load on a primary with a standby. */
async function startScene(options: ReplicationOptions) {
  const server = await startReplicatedPostgres(options);
  onTestFinished(() => server.remove());
  const receiver = await startTimedReceiver(() => 'taken');
  const fleet = createFleet({
    DATABASE_URL: server.url,
    // After an attempt lost to our fault, the backoff would outlast this test.
    RETRY_SCHEDULE: ['0s', ...Array(9).fill('1h')].join(','),
    LOG_LEVEL: 'fatal',
  });
  const host = await fleet.join();
  await fleet.join();
  const token = await host.makePool('p');
  await host.connect('standard', { url: `${receiver.url}/system` }, 'p');
  const url = `${receiver.url}/webhook`;
  await host.done('POST', '/v1/admin/pools/p/webhooks', { url, auth: { type: 'none' } });
  const load = keepSigning(callInTurn(fleet, token));
  const untilSending = async () => {
    const before = receiver.messages.length;
    await until(() => receiver.messages.length > before + 40, 'messages to arrive', 60_000);
  };
  return { server, receiver, fleet, host, token, load, untilSending };
}

type Scene = Awaited<ReturnType<typeof startScene>>;
type Outage = Awaited<ReturnType<typeof failOver>>;

/** Kills the primary, promotes the standby, moves the address; returns how long it took. */
async function failOver({ server, fleet, load, untilSending }: Scene, connections: LostConnections) {
  await untilSending();
  const killedAt = performance.now();
  await server.killPrimary(connections);
  await server.promote();
  server.moveAddress();
  const movedAt = performance.now();
  const next = await until(
    () => load.accepted.find(({ at, durationMs }) => at - durationMs > killedAt),
    'a write to be accepted',
    60_000,
  );
  for (const each of fleet.hosts) {
    const isReady = async () => (await each.call('GET', '/readyz')).status === 200;
    await until(isReady, 'the host to be ready by itself', 60_000);
  }
  const readyAt = performance.now();
  return {
    killedAt,
    awayMs: next.at - killedAt,
    afterMoveMs: next.at - movedAt,
    readyAfterMoveMs: readyAt - movedAt,
  };
}

/** Waits until the last version of each waiver has arrived everywhere, and nothing waits. */
async function untilRecorded({ host, receiver }: Scene, last: ReadonlyMap<string, string>): Promise<void> {
  const missing = () => missingMessages(last, destinations, receiver.messages);
  await until(() => missing().length === 0, 'the last version of every waiver to arrive', 60_000);
  const isIdle = async () => {
    const { items } = await host.done('GET', '/v1/admin/destinations');
    return items.every((item: { waiting: number }) => item.waiting === 0);
  };
  await until(isIdle, 'everything to be recorded', 60_000);
}

/** The middle and the longest of some times. */
const seconds = (ms: readonly number[]) => {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (place: number) => ((sorted[place] ?? 0) / 1_000).toFixed(1);
  return `${at(Math.floor(sorted.length / 2))} s, at most ${at(sorted.length - 1)} s`;
};

function figuresOf(connections: LostConnections, outages: readonly Outage[]): Record<string, string> {
  if (outages.length === 0) return {};
  return {
    [`${connections}: no write accepted for`]: seconds(outages.map(({ awayMs }) => awayMs)),
    [`${connections}: after the address moved`]: seconds(outages.map(({ afterMoveMs }) => afterMoveMs)),
    [`${connections}: all ready after the move`]: seconds(outages.map((each) => each.readyAfterMoveMs)),
  };
}

/** The accepted writes of which the database knows neither the version nor a newer one. */
async function lostWrites({ host, token, load }: Scene): Promise<AcceptedWrite[]> {
  const lost: AcceptedWrite[] = [];
  const newest = new Map<string, string | undefined>();
  for (const write of load.accepted) {
    if (!newest.has(write.id)) {
      const { status, body } = await host.call('GET', `/v1/pools/p/waivers/${write.id}`, undefined, {
        token,
      });
      newest.set(write.id, status === 200 ? body.updatedAt : undefined);
    }
    if ((newest.get(write.id) ?? '') < write.updatedAt) lost.push(write);
  }
  return lost;
}

test(
  `the primary killed under load, its synchronous standby promoted, ${rounds} times: nothing lost, nothing out of order, hosts recover by themselves`,
  async () => {
    const scene = await startScene({ isSynchronous: true, linkDelayMs });
    const { receiver, fleet, load, untilSending } = scene;
    const outages: Record<LostConnections, Outage[]> = { vanished: [], broken: [] };
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await scene.server.addStandby();
      const connections = round % 2 === 0 ? 'vanished' : 'broken';
      outages[connections].push(await failOver(scene, connections));
    }
    await untilSending();
    const last = await load.end();

    await untilRecorded(scene, last);
    const lost = await lostWrites(scene);
    const outOfOrder = messagesOutOfOrder(receiver.messages);
    report({
      failovers: rounds,
      'writes accepted': load.accepted.length,
      messages: receiver.messages.length,
      lost: lost.length,
      'out of order': outOfOrder.length,
      'answers 503': load.refusals.length,
      ...figuresOf('vanished', outages.vanished),
      ...figuresOf('broken', outages.broken),
    });
    expect(lost).toEqual([]);
    expect(outOfOrder).toEqual([]);
    expect(receiver.messages.filter(({ alongside }) => alongside > 0)).toEqual([]);
    expect(load.broken()).toBe(0);
    for (const answer of load.refusals) {
      expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'database_unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    for (const state of ['dead', 'held', 'cancelled']) {
      expect(await fleet.all(`/v1/admin/deliveries?state=${state}&`)).toEqual([]);
    }
    for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
    await receiver.close();
  },
  inForm({ short: 120_000, long: 1_800_000 }),
);

test.runIf(isLong)(
  `the same with an asynchronous standby: only the latest accepted changes are lost, and only repeats arrive after newer messages`,
  async () => {
    const scene = await startScene({ isSynchronous: false, linkDelayMs });
    const { receiver, fleet, load, untilSending } = scene;
    const killedAt: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) await scene.server.addStandby();
      killedAt.push((await failOver(scene, 'broken')).killedAt);
    }
    await untilSending();
    const last = await load.end();

    const lost = await lostWrites(scene);
    for (const { id } of lost) last.delete(id);
    await untilRecorded(scene, last);
    // An answer that was on its way at the kill came a moment after it.
    const nearestKill = ({ at }: AcceptedWrite) =>
      killedAt.reduce((nearest, kill) => (Math.abs(kill - at) < Math.abs(nearest - at) ? kill : nearest));
    const ages = lost.map((write) => Math.abs(nearestKill(write) - write.at));
    const arrivals = receiver.messages.map(nameOf);
    report({
      failovers: rounds,
      'way to the standby': `${linkDelayMs} ms`,
      'writes accepted': load.accepted.length,
      lost: lost.length,
      'failovers that lost some': new Set(lost.map(({ at }) => killedAt.filter((kill) => kill > at).length))
        .size,
      'accepted before the kill, at most': `${Math.round(Math.max(0, ...ages))} ms`,
      'messages sent again': arrivals.length - new Set(arrivals).size,
      'after a newer one that is lost': messagesOutOfOrder(receiver.messages).length,
    });
    expect(ages.filter((age) => age > 1_000)).toEqual([]);
    // A version that went out and is lost with its change is followed by the one before, whose result is lost too.
    const isRepeated = (arrival: string) => arrivals.indexOf(arrival) !== arrivals.lastIndexOf(arrival);
    const outOfOrder = messagesOutOfOrder(receiver.messages);
    expect(outOfOrder.filter((message) => !isRepeated(nameOf(message)))).toEqual([]);
    for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
    await receiver.close();
  },
  1_800_000,
);

test.runIf(isLong)(
  'the synchronous standby gone: writes are answered 503 in the end, none hangs, nothing accepted is lost',
  async () => {
    const scene = await startScene({ isSynchronous: true, linkDelayMs });
    const { server, receiver, fleet, load, untilSending } = scene;
    await untilSending();
    await server.loseStandby();
    const lostAt = performance.now();
    // A statement's thirty seconds, five for its answer, and ten for a connection while all wait.
    await until(() => load.refusals.length > 0, 'a write to be refused', 60_000);
    const refusedAfterMs = performance.now() - lostAt;
    await server.waitForNoStandby();
    await untilSending();
    const backAt = performance.now();
    await untilRecorded(scene, await load.end());
    const recordedAfterMs = performance.now() - backAt;
    const slowest = Math.max(...load.accepted.map(({ durationMs }) => durationMs));
    report({
      'first refusal after': seconds([refusedAfterMs]),
      'answers 503': load.refusals.length,
      'slowest write': seconds([slowest]),
      'all recorded after': seconds([recordedAfterMs]),
    });
    expect(slowest).toBeLessThan(60_000);
    for (const answer of load.refusals) expect(answer.body.code).toBe('database_unavailable');
    expect(await lostWrites(scene)).toEqual([]);
    expect(messagesOutOfOrder(receiver.messages)).toEqual([]);
    for (const each of fleet.hosts) expect(await each.stop()).toBe(0);
    await receiver.close();
  },
  600_000,
);
