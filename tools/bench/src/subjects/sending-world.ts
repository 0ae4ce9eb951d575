import type { Ground } from '../harness/ground.ts';
import type { Measured } from '../harness/row.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { startHostProcess } from './host-process.ts';
import { createWaiverWorld, type DestinationKind, type WaiverWorld } from './waiver-world.ts';

/** A world whose messages are sent by hosts with `ROLE=dispatcher`, each a separate process. */
export interface SendingWorld {
  readonly world: WaiverWorld;
  readonly backlog: Backlog;
  /** Releases a backlog of one message for each waiver, and measures those sent and recorded per second. */
  drain(): Promise<Measured>;
}

/** Creates the world, and starts its hosts. */
export async function createSendingWorld(
  ground: Ground,
  options: { readonly kind: DestinationKind; readonly waivers: number; readonly dispatchers: number },
): Promise<SendingWorld> {
  const { origins } = await ground.receivers();
  const world = await createWaiverWorld(ground, {
    ...options,
    originOf: (pool) => origins[pool % origins.length] ?? '',
  });
  for (let number = 0; number < options.dispatchers; number += 1) {
    const host = await startHostProcess({ DATABASE_URL: world.databaseUrl, ROLE: 'dispatcher' });
    ground.defer(() => host.stop());
  }
  const backlog = await createBacklog(ground, world);
  return {
    world,
    backlog,
    async drain() {
      await backlog.fill();
      const startedAt = performance.now();
      await backlog.drain();
      return { value: world.waivers / ((performance.now() - startedAt) / 1000) };
    },
  };
}
