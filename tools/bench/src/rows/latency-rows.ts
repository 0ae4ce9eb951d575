import { guestMessages, type Message } from '../baselines/message.ts';
import { openPgBossSender } from '../baselines/pg-boss-sender.ts';
import { openUndiciLoop } from '../baselines/undici-loop.ts';
import type { Ground } from '../harness/ground.ts';
import type { Measured, Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { runPaced } from '../paced.ts';
import { type Arrival, steadyNow } from '../receivers/messages.ts';
import type { Receivers } from '../receivers/start-receivers.ts';
import { startHostProcess } from '../subjects/host-process.ts';
import { openWaiverClient, type WaiverClient } from '../subjects/waiver-client.ts';
import { createWaiverWorld, type WaiverWorld } from '../subjects/waiver-world.ts';

const perSecond = 200;
const updatesPerRun = 800;
const pools = 100;
// More than the dead destination has slots, so that it is always as busy as it can be.
const heldByTheDead = 40;

interface Served {
  readonly world: WaiverWorld;
  readonly client: WaiverClient;
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
  const client = openWaiverClient(host.url);
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
    const update = await client.update(world.poolOf(index), world.idOf(index), `page-${place}`);
    accepted.set(keyOf(update), update.acceptedAt);
  });
  await reached;
  return timesOf(accepted, await receivers.arrivals());
}

/** Accepts a message to send; resolves when it is accepted, or at once if nothing is stored. */
type SendOne = (message: Message) => Promise<void>;

/** Messages at an even rate; the time from `since` to the receiver's first byte. */
async function sendAtRate(
  receivers: Receivers,
  count: number,
  send: SendOne,
  since: 'accepted' | 'called',
): Promise<Measured> {
  const messages = guestMessages(receivers.origins, count);
  const begun = new Map<string, number>();
  const { reached } = await receivers.expect(count, { record: true });
  await runPaced(count, perSecond, async (place) => {
    const message = messages[place];
    if (message === undefined) return;
    const key = keyOf(JSON.parse(message.body).guest);
    if (since === 'called') begun.set(key, steadyNow());
    await send(message);
    if (since === 'accepted') begun.set(key, steadyNow());
  });
  await reached;
  return timesOf(begun, await receivers.arrivals());
}

function firstByteRow(
  name: string,
  base: string,
  prepareBase: (ground: Ground, receivers: Receivers, count: number) => Promise<() => Promise<Measured>>,
): Row {
  return {
    name,
    subject: 'accepted to first byte, p50',
    base,
    unit: 'ms',
    async prepare(ground) {
      const receivers = await ground.receivers();
      const count = ground.size(updatesPerRun);
      const served = await serve(ground, count, false);
      const sides = {
        subject: () => updateAtRate(served, receivers, count),
        base: await prepareBase(ground, receivers, count),
      };
      await sides.subject();
      await sides.base();
      return sides;
    },
  };
}

/** From acceptance to the receiver's first byte at 200 updates a second, against other ways to send. */
export const firstByteRows: readonly Row[] = [
  firstByteRow('first-byte', 'bare undici, call to first byte, p50', async (ground, receivers, count) => {
    const loop = openUndiciLoop();
    ground.defer(() => loop.close());
    return () => sendAtRate(receivers, count, (message) => loop.send([message]), 'called');
  }),
  firstByteRow(
    'first-byte-pg-boss',
    'pg-boss + axios, accepted to first byte, p50',
    async (ground, receivers, count) => {
      const { url } = await ground.database();
      const sender = await openPgBossSender(url, 'latency');
      ground.defer(() => sender.close());
      await sender.work();
      return () => sendAtRate(receivers, count, (message) => sender.enqueue([message]), 'accepted');
    },
  ),
];

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
    await p99Of(withDead);
    await p99Of(without);
    return { subject: () => p99Of(withDead), base: () => p99Of(without) };
  },
};
