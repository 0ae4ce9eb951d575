import { guestMessages } from '../baselines/message.ts';
import { openUndiciLoop, type UndiciLoop } from '../baselines/undici-loop.ts';
import type { Ground } from '../harness/ground.ts';
import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { runPaced } from '../paced.ts';
import { type Arrival, steadyNow } from '../receivers/messages.ts';
import type { Receivers } from '../receivers/start-receivers.ts';
import { type HostClient, openHostClient } from '../subjects/host-client.ts';
import { startHostProcess } from '../subjects/host-process.ts';
import { createWaiverWorld, type WaiverWorld } from '../subjects/waiver-world.ts';

const perSecond = 200;
const updatesPerRun = 800;
const pools = 100;
// More than the dead destination has slots, so that it is always as busy as it can be.
const heldByTheDead = 40;

interface Served {
  readonly world: WaiverWorld;
  readonly client: HostClient;
  readonly hasDead: boolean;
}

async function serve(ground: Ground, waivers: number, hasDead: boolean): Promise<Served> {
  const { origins } = await ground.receivers();
  const world = await createWaiverWorld(ground, {
    kind: 'guest-webhook',
    waivers,
    originOf: (pool) => `${origins[pool % origins.length]}${hasDead && pool === 0 ? '/silent' : ''}`,
  });
  const host = await startHostProcess({ DATABASE_URL: world.databaseUrl });
  ground.defer(() => host.stop());
  const client = openHostClient(host.url);
  ground.defer(() => client.close());
  return { world, client, hasDead };
}

const keyOf = ({ id, updatedAt }: { id: string; updatedAt: string }) => `${id} ${updatedAt}`;

function timesOf(begun: ReadonlyMap<string, number>, arrivals: readonly Arrival[]): Measured {
  const times = arrivals.flatMap((arrival) => {
    const since = begun.get(keyOf(arrival));
    return since === undefined ? [] : [arrival.at - since];
  });
  return {
    value: percentile(times, 50),
    figures: [{ name: 'p99', value: percentile(times, 99), unit: 'ms' }],
  };
}

const goesToTheDead = ({ hasDead }: Served, index: number) => hasDead && index % pools === 0;

/** Updates through the host at an even rate; the time from each answer to the receiver's first byte. */
async function updateAtRate(served: Served, receivers: Receivers, count: number): Promise<Measured> {
  const { world, client } = served;
  const accepted = new Map<string, number>();
  const indexes = Array.from({ length: count }, (_, index) => index % world.waivers);
  const total = indexes.filter((index) => !goesToTheDead(served, index)).length;
  const { reached } = await receivers.expect(total, { record: true });
  await runPaced(count, perSecond, async (place) => {
    const index = indexes[place] ?? 0;
    const path = `/v1/pools/${world.poolOf(index)}/waivers/${world.idOf(index)}`;
    const answer = await client.call('PATCH', path, { body: { currentPage: `page-${place}` } });
    accepted.set(keyOf(JSON.parse(answer)), steadyNow());
  });
  await reached;
  return timesOf(accepted, await receivers.arrivals());
}

/** Posts messages at an even rate without storing them; the time from each call to the receiver's first byte. */
async function postAtRate(receivers: Receivers, count: number, loop: UndiciLoop): Promise<Measured> {
  const messages = guestMessages(receivers.origins, count);
  const called = new Map<string, number>();
  const { reached } = await receivers.expect(count, { record: true });
  await runPaced(count, perSecond, async (place) => {
    const message = messages[place];
    if (message === undefined) return;
    called.set(keyOf(JSON.parse(message.body).guest), steadyNow());
    await loop.send([message]);
  });
  await reached;
  return timesOf(called, await receivers.arrivals());
}

/** From acceptance to the receiver's first byte at 200 updates a second, against posting at once. */
export const firstByteRow: Row = {
  name: 'first-byte',
  subject: 'accepted to first byte, p50',
  base: 'bare undici, call to first byte, p50',
  unit: 'ms',
  async prepare(ground) {
    const receivers = await ground.receivers();
    const count = ground.size(updatesPerRun);
    const served = await serve(ground, count, false);
    const loop = openUndiciLoop();
    ground.defer(() => loop.close());
    return {
      subject: () => updateAtRate(served, receivers, count),
      base: () => postAtRate(receivers, count, loop),
    };
  },
};

/** The p99 of 99 fast destinations beside one that never answers, against the same without that one. */
export const deadDestinationRow: Row = {
  name: 'dead-destination',
  subject: '99 fast and one dead, p99 of the fast',
  base: 'all fast, p99',
  unit: 'ms',
  async prepare(ground) {
    const receivers = await ground.receivers();
    const count = Math.max(2 * pools, ground.size(updatesPerRun));
    const waivers = pools * heldByTheDead;
    const withDead = await serve(ground, waivers, true);
    const without = await serve(ground, waivers, false);
    const p99Of = async (served: Served): Promise<Measured> => {
      const { value: p50, figures = [] } = await updateAtRate(served, receivers, count);
      return { value: figures[0]?.value ?? Number.NaN, figures: [{ name: 'p50', value: p50, unit: 'ms' }] };
    };
    // The dead destination's messages, one for each of its waivers.
    for (let index = 0; index < waivers; index += pools) await withDead.world.update(index);
    return { subject: () => p99Of(withDead), base: () => p99Of(without) };
  },
};
