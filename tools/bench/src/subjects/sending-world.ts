import { setTimeout as wait } from 'node:timers/promises';
import { openWaitingLanes } from '@waiver-service/outbox/testing';
import type { Ground } from '../harness/ground.ts';
import type { Measured } from '../harness/row.ts';
import { runInFlight } from '../in-flight.ts';
import { startHostProcess } from './host-process.ts';
import { createWaiverWorld, type DestinationKind } from './waiver-world.ts';

const storedAtOnce = 64;
const lookEveryMs = 5;
const timeoutMs = 120_000;

/** A world whose messages are sent by hosts with `ROLE=dispatcher`, each a separate process. */
export interface SendingWorld {
  /** Releases a backlog of one message for each waiver, and measures those sent and recorded per second. */
  drain(): Promise<Measured>;
}

/** Creates the world, and starts its hosts. */
export async function createSendingWorld(
  ground: Ground,
  options: { readonly kind: DestinationKind; readonly waivers: number; readonly dispatchers: number },
): Promise<SendingWorld> {
  const receivers = await ground.receivers();
  const { origins } = receivers;
  const world = await createWaiverWorld(ground, {
    ...options,
    originOf: (pool) => origins[pool % origins.length] ?? '',
  });
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
  return {
    async drain() {
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
    },
  };
}
