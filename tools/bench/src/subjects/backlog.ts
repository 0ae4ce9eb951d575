import { setTimeout as wait } from 'node:timers/promises';
import { openWaitingLanes } from '@waiver-service/store/testing';
import type { Ground } from '../harness/ground.ts';
import { runInFlight } from '../in-flight.ts';
import type { WaiverWorld } from './waiver-world.ts';

/** A backlog of messages: held back, then released. */
export interface Backlog {
  /** Holds everything back until {@link drain}. */
  hold(): Promise<void>;
  /** Stores an update of every waiver while everything is held back. */
  fill(): Promise<void>;
  /** Releases everything, and resolves when it is sent and recorded. */
  drain(): Promise<void>;
  /** Resolves when no message is waiting or in flight. */
  untilRecorded(): Promise<void>;
}

// As many as are stored together.
const atOnce = 64;
const lookEveryMs = 5;
const timeoutMs = 120_000;

/** Creates a backlog of one message for each waiver of the world. Needs a running dispatcher. */
export async function createBacklog(ground: Ground, world: WaiverWorld): Promise<Backlog> {
  const receivers = await ground.receivers();
  const lanes = openWaitingLanes(world.databaseUrl);
  ground.defer(() => lanes.close());
  async function untilRecorded() {
    const late = AbortSignal.timeout(timeoutMs);
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
      await lanes.release();
      await reached;
      await untilRecorded();
    },
    untilRecorded,
  };
}
