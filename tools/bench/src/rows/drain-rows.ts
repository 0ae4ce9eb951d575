import { setTimeout as wait } from 'node:timers/promises';
import { openWaitingLanes } from '@waiver-service/outbox/testing';
import { Agent } from 'undici';
import {
  guestMessages,
  guestUpdateMessages,
  type Message,
  openDurableFloor,
  sendAll,
} from '../baselines/bare-senders.ts';
import { type FilledQueue, fillGraphileWorker, fillPgBoss } from '../baselines/queues.ts';
import type { Ground } from '../harness/ground.ts';
import { runInFlight } from '../harness/measuring.ts';
import type { Measured, Row } from '../harness/row.ts';
import { startHostProcess } from '../subjects/host.ts';
import { createWaiverWorld, type DestinationKind } from '../subjects/waiver-world.ts';

const storedAtOnce = 64;
const lookEveryMs = 5;
const timeoutMs = 120_000;

/**
 * A world whose messages are sent by hosts with `ROLE=dispatcher`, each a separate process. @returns what releases a
 * backlog of one message for each waiver, and measures those sent and recorded per second
 */
async function prepareSending(
  ground: Ground,
  options: { readonly kind: DestinationKind; readonly waivers: number; readonly dispatchers: number },
): Promise<() => Promise<Measured>> {
  const receivers = await ground.receivers();
  const world = await createWaiverWorld(ground, options);
  const senders: (number | undefined)[] = [];
  for (let number = 0; number < options.dispatchers; number += 1) {
    const host = await startHostProcess({ DATABASE_URL: world.databaseUrl, ROLE: 'dispatcher' });
    ground.defer(() => host.stop());
    senders.push(host.pid);
  }
  const lanes = openWaitingLanes(world.databaseUrl);
  ground.defer(() => lanes.close());
  async function untilRecorded() {
    const late = AbortSignal.timeout(timeoutMs);
    while (await lanes.isAnyWaiting()) {
      late.throwIfAborted();
      await wait(lookEveryMs);
    }
  }
  return async () => {
    await lanes.holdBack();
    await runInFlight(world.waivers, storedAtOnce, (index) => world.update(index));
    const { reached } = await receivers.expect(world.waivers);
    const used = await ground.watch(senders);
    const startedAt = performance.now();
    await lanes.release();
    await reached;
    await untilRecorded();
    const seconds = (performance.now() - startedAt) / 1000;
    return { value: world.waivers / seconds, figures: used(world.waivers) };
  };
}

const messagesPerRun = 10_000;

/** A baseline that sends the same messages: its setup is untimed. */
type BaseRun = (messages: readonly Message[]) => Promise<Measured>;

async function timed(ground: Ground, count: number, run: () => Promise<void>): Promise<Measured> {
  const used = await ground.watch([process.pid]);
  const startedAt = performance.now();
  await run();
  const seconds = (performance.now() - startedAt) / 1000;
  return { value: count / seconds, figures: used(count) };
}

async function prepareUndici(ground: Ground): Promise<BaseRun> {
  const dispatcher = new Agent();
  ground.defer(() => dispatcher.close());
  return (messages) => timed(ground, messages.length, () => sendAll(dispatcher, messages));
}

async function prepareFloor(ground: Ground): Promise<BaseRun> {
  const { url } = await ground.database();
  const floor = await openDurableFloor(url);
  ground.defer(() => floor.close());
  return async (messages) => {
    await floor.fill(messages);
    return timed(ground, messages.length, () => floor.drain());
  };
}

const prepareQueue =
  (fill: (databaseUrl: string, messages: readonly Message[]) => Promise<FilledQueue>) =>
  async (ground: Ground): Promise<BaseRun> =>
  async (messages) => {
    const { url } = await ground.database();
    const queue = await fill(url, messages);
    try {
      return await timed(ground, messages.length, () => queue.drain());
    } finally {
      await queue.close();
    }
  };

const subjects = {
  'guest-webhook': { name: 'webhooks', subject: 'webhooks', messages: guestMessages },
  'guest-update': { name: 'guest-updates', subject: 'Guest Updates', messages: guestUpdateMessages },
} as const;

// The rate does not depend on the number of messages; a faster sender sends more, so that its time can be measured.
const bases = {
  undici: { base: 'bare undici', prepare: prepareUndici, times: 2 },
  floor: { base: 'the durable floor', prepare: prepareFloor, times: 2 },
  'pg-boss': { base: 'pg-boss + axios', prepare: prepareQueue(fillPgBoss), times: 1 },
  'graphile-worker': {
    base: 'graphile-worker + axios',
    prepare: prepareQueue(fillGraphileWorker),
    times: 1,
  },
} as const;

function drainRow(kind: DestinationKind, against: keyof typeof bases): Row {
  const { name, subject, messages: messagesOf } = subjects[kind];
  const { base, prepare, times } = bases[against];
  return {
    name: `${name}-${against}`,
    subject,
    base,
    unit: '/s',
    async prepare(ground) {
      const runBase = await prepare(ground);
      const count = ground.size(messagesPerRun);
      const { origins } = await ground.receivers();
      const messages = messagesOf(origins, count * times);
      const drain = await prepareSending(ground, { kind, waivers: count, dispatchers: 1 });
      return { subject: drain, base: () => runBase(messages) };
    },
  };
}

/**
 * Sending a backlog, against sending the same messages without storing them, against the libraries one would use
 * instead, and with a second process on the same database.
 */
export const drainRows: readonly Row[] = [
  drainRow('guest-webhook', 'undici'),
  drainRow('guest-update', 'undici'),
  drainRow('guest-webhook', 'floor'),
  drainRow('guest-update', 'floor'),
  drainRow('guest-webhook', 'pg-boss'),
  drainRow('guest-update', 'pg-boss'),
  drainRow('guest-webhook', 'graphile-worker'),
  {
    name: 'two-dispatchers',
    subject: 'two dispatchers',
    base: 'one dispatcher',
    unit: '/s',
    async prepare(ground) {
      const waivers = ground.size(messagesPerRun);
      const two = await prepareSending(ground, { kind: 'guest-webhook', waivers, dispatchers: 2 });
      const one = await prepareSending(ground, { kind: 'guest-webhook', waivers, dispatchers: 1 });
      return { subject: two, base: one };
    },
  },
];
