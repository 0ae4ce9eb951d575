import type { Outbox } from '@waiver-service/store';
import type { DispatcherListener } from './events.ts';
import type { Flights } from './flights.ts';
import { type Repetition, repeat } from './repeat.ts';

/** What keeping leases needs. */
export interface LeaseKeeperOptions {
  readonly outbox: Pick<Outbox, 'extendLeases' | 'reclaim'>;
  readonly flights: Flights;
  readonly leaseMs: number;
  readonly retrySchedule: readonly number[];
  readonly onEvent: DispatcherListener;
  /** Told when lanes of a process that is gone are free again. */
  readonly onReclaimed: () => void;
}

/**
 * Extends the leases of what is in flight, three times as often as they would run out, and frees those of processes
 * that are gone, within seconds. A send whose lease is lost is given up: another may have begun the same one.
 */
export function keepLeases(options: LeaseKeeperOptions): Repetition {
  const { outbox, flights, leaseMs, retrySchedule, onEvent, onReclaimed } = options;

  async function extend(): Promise<void> {
    try {
      const askedAt = performance.now();
      const held = flights.all();
      const lost = new Set(
        await outbox.extendLeases(
          held.map(({ message }) => message),
          leaseMs,
        ),
      );
      for (const flight of held) if (!lost.has(flight.message)) flight.leasedAt = askedAt;
      // What ended in the meantime has given its lease back itself.
      const current = new Set(flights.all());
      const taken = held.filter(
        (flight) => lost.has(flight.message) && current.has(flight) && flight.stage !== 'ended',
      );
      for (const flight of taken) flight.abort.abort();
      flights.takeWaiting((flight) => lost.has(flight.message));
      if (taken.length > 0) onEvent({ type: 'leases-lost', lanes: taken.length });
    } catch (error) {
      onEvent({ type: 'fault', doing: 'extending', error });
    }
  }

  async function reclaim(): Promise<void> {
    try {
      const lanes = await outbox.reclaim(retrySchedule);
      if (lanes === 0) return;
      onEvent({ type: 'reclaimed', lanes });
      onReclaimed();
    } catch (error) {
      onEvent({ type: 'fault', doing: 'reclaiming', error });
    }
  }

  // What a host that is gone left behind is free before this one looks for work.
  const reclaimedFirst = reclaim();
  const extending = repeat(extend, leaseMs / 3);
  const reclaiming = repeat(reclaim, leaseMs / 15);
  return {
    async stop() {
      await Promise.all([reclaimedFirst, extending.stop(), reclaiming.stop()]);
    },
  };
}
