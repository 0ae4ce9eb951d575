import { openWaitingLanes } from '@waiver-service/outbox/testing';
import { Pool } from 'pg';
import { timedTasks } from '../harness/measuring.ts';
import type { Measured, Row } from '../harness/row.ts';
import { createWaiverWorld } from '../subjects/waiver-world.ts';

// The baseline: it enqueues nothing.
const nextVersion = `
  update waiver set version = version + 1, current_page = $3,
    updated_at = date_trunc('milliseconds', clock_timestamp())
  where pool = $1 and id = $2`;

const updatesPerRun = 2_000;
const waivers = 2_000;
const clients = 64;
// The store's default.
const connections = 10;

async function timed(count: number, update: (index: number) => Promise<void>): Promise<Measured> {
  const { rate, figures } = await timedTasks(count, clients, update);
  return { value: rate, figures: [figures.p50, figures.p99] };
}

/** Accepting a waiver's update with its message, against only updating the waiver's row. */
export const acceptRow: Row = {
  name: 'accept',
  subject: 'update with its message',
  base: 'row update only',
  unit: '/s',
  async prepare(ground) {
    const world = await createWaiverWorld(ground, {
      kind: 'guest-webhook',
      waivers: ground.size(waivers),
    });
    const bare = new Pool({ connectionString: world.databaseUrl, max: connections });
    ground.defer(() => bare.end());
    const lanes = openWaitingLanes(world.databaseUrl);
    ground.defer(() => lanes.close());
    const count = ground.size(updatesPerRun);
    async function acceptAll(): Promise<Measured> {
      // As usual in production: the previous update's message has been sent.
      await lanes.settle();
      return timed(count, (index) => world.update(index % world.waivers));
    }
    async function bareUpdate(index: number): Promise<void> {
      const waiver = index % world.waivers;
      const values = [world.poolOf(waiver), world.idOf(waiver), `page-${index % 2}`];
      const { rowCount } = await bare.query(nextVersion, values);
      if (rowCount !== 1) throw new Error(`no waiver ${waiver}`);
    }
    return {
      subject: acceptAll,
      base: () => timed(count, bareUpdate),
    };
  },
};
