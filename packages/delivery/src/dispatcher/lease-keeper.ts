import type { Outbox } from '@waiver-service/store';
import type { DispatcherListener } from './events.ts';
import type { Flight, Flights } from './flights.ts';
import { type Repetition, repeat } from './repeat.ts';

/** How long a lease holds. */
export interface LeaseTimes {
  /** Milliseconds from when it was asked for. */
  readonly leaseMs: number;
  /** Milliseconds before its end at which a send is given up, so that it has ended when another process begins. */
  readonly leaseMarginMs: number;
}

/**
 * When a send has to end, by `performance.now()`: counted from before the lease was last certainly prolonged, so that
 * it is sure without an answer of the database.
 */
export const mustEndAt = ({ leasedAt }: Pick<Flight, 'leasedAt'>, { leaseMs, leaseMarginMs }: LeaseTimes) =>
  leasedAt + leaseMs - leaseMarginMs;

/** What keeping leases needs. */
export interface LeaseKeeperOptions extends LeaseTimes {
  readonly outbox: Pick<Outbox, 'extendLeases' | 'reclaim'>;
  readonly flights: Flights;
  readonly retrySchedule: readonly number[];
  readonly onEvent: DispatcherListener;
  /** Told when lanes of a process that is gone are free again. */
  readonly onReclaimed: () => void;
}

/**
 * Extends the leases of what is in flight, three times as often as they would run out, and frees those of processes
 * that are gone, within seconds. A send whose lease is lost is given up: another may have begun the same one. So is one
 * whose lease could not be prolonged in time, before another may begin.
 */
export function keepLeases(options: LeaseKeeperOptions): Repetition {
  const { outbox, flights, leaseMs, leaseMarginMs, retrySchedule, onEvent, onReclaimed } = options;
  const watchEveryMs = leaseMarginMs / 8;

  async function watch(): Promise<void> {
    const nextLookAt = performance.now() + watchEveryMs;
    const unrenewed = flights
      .all()
      .filter(
        (flight) =>
          flight.stage === 'sending' &&
          !flight.abort.signal.aborted &&
          nextLookAt >= mustEndAt(flight, options),
      );
    for (const { abort } of unrenewed) abort.abort();
    if (unrenewed.length > 0) onEvent({ type: 'leases-unrenewed', lanes: unrenewed.length });
  }

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
  const watching = repeat(watch, watchEveryMs);
  const reclaiming = repeat(reclaim, leaseMs / 15);
  return {
    async stop() {
      await Promise.all([reclaimedFirst, extending.stop(), watching.stop(), reclaiming.stop()]);
    },
  };
}
