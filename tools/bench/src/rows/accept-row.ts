import { openWaitingLanes } from '@waiver-service/outbox/testing';
import { openBareWaiverUpdates } from '../baselines/bare-waiver-updates.ts';
import type { Ground } from '../harness/ground.ts';
import type { Measured, Row } from '../harness/row.ts';
import { timedTasks } from '../harness/timed-tasks.ts';
import { createWaiverWorld, type WaiverWorld } from '../subjects/waiver-world.ts';

const updatesPerRun = 2_000;
const waivers = 2_000;
const clients = 64;
// The store's default.
const connections = 10;

async function timed(count: number, update: (index: number) => Promise<void>): Promise<Measured> {
  const { rate, figures } = await timedTasks(count, clients, update);
  return { value: rate, figures: [figures.p50, figures.p99] };
}

async function prepareWorld(ground: Ground): Promise<WaiverWorld> {
  const { origins } = await ground.receivers();
  return createWaiverWorld(ground, {
    kind: 'guest-webhook',
    waivers: ground.size(waivers),
    originOf: (pool) => origins[pool % origins.length] ?? '',
  });
}

/** Accepting a waiver's update with its message, against only updating the waiver's row. */
export const acceptRow: Row = {
  name: 'accept',
  subject: 'update with its message',
  base: 'row update only',
  unit: '/s',
  async prepare(ground) {
    const world = await prepareWorld(ground);
    const bare = openBareWaiverUpdates(world.databaseUrl, connections);
    ground.defer(() => bare.close());
    const lanes = openWaitingLanes(world.databaseUrl);
    ground.defer(() => lanes.close());
    const count = ground.size(updatesPerRun);
    async function acceptAll(): Promise<Measured> {
      // As usual in production: the previous update's message has been sent.
      await lanes.settle();
      return timed(count, (index) => world.update(index % world.waivers));
    }
    const bareUpdate = (index: number) => {
      const waiver = index % world.waivers;
      return bare.update(world.poolOf(waiver), world.idOf(waiver), `page-${index % 2}`);
    };
    return {
      subject: acceptAll,
      base: () => timed(count, bareUpdate),
    };
  },
};
