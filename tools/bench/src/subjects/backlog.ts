import { setTimeout as wait } from 'node:timers/promises';
import { openWaitingLanes } from '@waiver-service/store/testing';
import type { Ground } from '../harness/ground.ts';
import { runInFlight } from '../in-flight.ts';
import type { WaiverWorld } from './waiver-world.ts';

/** The backlog: held back, then released. */
export interface Backlog {
  /** Holds everything back until {@link drain}. */
  hold(): Promise<void>;
  /** Stores an update of every waiver while everything is held back. */
  fill(): Promise<void>;
  /** Lets everything go, and resolves when it is sent and recorded. */
  drain(): Promise<void>;
  /** Resolves when nothing waits and nothing is being sent. */
  untilRecorded(): Promise<void>;
}

// As many as are stored together.
const atOnce = 64;
const lookEveryMs = 5;
const patienceMs = 120_000;

/** Makes a backlog of one message for each waiver of the world. A dispatcher is to run meanwhile. */
export async function createBacklog(ground: Ground, world: WaiverWorld): Promise<Backlog> {
  const receivers = await ground.receivers();
  const lanes = openWaitingLanes(world.databaseUrl);
  ground.defer(() => lanes.close());
  async function untilRecorded() {
    const late = AbortSignal.timeout(patienceMs);
    while (await lanes.isAnyWaiting()) {
      late.throwIfAborted();
      await wait(lookEveryMs);
    }
  }
  return {
    hold: () => lanes.holdBack(),
    async fill() {
      await lanes.holdBack();
      await runInFlight(world.waivers, atOnce, (index) => world.update(index));
    },
    async drain() {
      const { reached } = await receivers.expect(world.waivers);
      await lanes.letGo();
      await reached;
      await untilRecorded();
    },
    untilRecorded,
  };
}
