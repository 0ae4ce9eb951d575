import type { Outbox } from '@waiver-service/store';
import type { CallTimes } from './call-times.ts';
import type { DispatcherListener } from './events.ts';
import type { Flight, Flights } from './flights.ts';
import type { Recorder } from './recorder.ts';
import { type SendOneOptions, sendOne } from './send-one.ts';
import type { Withdrawn } from './withdrawn.ts';

/** What a runway is made with. */
export interface RunwayOptions extends SendOneOptions {
  readonly outbox: Pick<Outbox, 'giveBack'>;
  readonly flights: Flights;
  readonly callTimes: Pick<CallTimes, 'add'>;
  readonly withdrawn: Pick<Withdrawn, 'concerns'>;
  readonly recorder: Pick<Recorder, 'record'>;
  readonly concurrency: number;
  readonly onEvent: DispatcherListener;
  /** Told when one has been sent. */
  readonly onSlotFree: () => void;
  /** Told that a lane has something to send in so many milliseconds. */
  readonly onDue: (waitMs: number) => void;
}

/** Sends what was claimed, as many at once as there are slots. */
export interface Runway {
  /** Begins whatever there is a slot for. */
  launch(): void;
  /** Begins nothing more, and gives back what was not begun. */
  close(): Promise<void>;
}

// What is sent and not yet recorded would be sent again if this process died now: while the database is slow or away,
// no more than this is risked.
const endedOfEachSlot = 7;
const mostEnded = 448;

/** Makes the runway of one dispatcher. */
export function createRunway(options: RunwayOptions): Runway {
  const {
    outbox,
    flights,
    callTimes,
    withdrawn,
    recorder,
    concurrency,
    leaseMs,
    onEvent,
    onSlotFree,
    onDue,
  } = options;
  const mostUnrecorded = concurrency + Math.min(concurrency * endedOfEachSlot, mostEnded);
  let isClosed = false;

  /** Nothing was sent: another process, or this one, claims it anew. */
  async function giveBack(given: readonly Flight[]): Promise<void> {
    if (given.length === 0) return;
    try {
      await outbox.giveBack(given.map(({ message }) => message));
      if (!isClosed) onDue(0);
    } catch (error) {
      // The leases run out by themselves.
      onEvent({ type: 'fault', doing: 'giving back', error });
    }
  }

  /**
   * It waited in vain: its time to begin is over, its lease may be another's (the process had stood still), or something
   * of it may no longer leave.
   */
  const isExpired = (flight: Flight, now: number) =>
    now > flight.beginBy || now - flight.leasedAt > leaseMs / 2 || withdrawn.concerns(flight);

  async function fly(flight: Flight): Promise<void> {
    const ended = await sendOne(flight, options);
    flights.end(flight);
    const { destination } = flight.message;
    callTimes.add(destination, ended.finished.attempt.durationMs);
    // What fails would fail for the others too, and is claimed more sparingly from now on.
    if (!['accepted', 'nothing-written'].includes(ended.result.outcome)) {
      void giveBack(flights.takeWaiting(({ message }) => message.destination === destination));
    }
    launch();
    onSlotFree();
    const hasMore = await recorder.record(ended);
    flights.remove(flight);
    launch();
    const { decision } = ended.finished;
    if (hasMore) onDue(0);
    else if ('waitMs' in decision) onDue(decision.waitMs);
  }

  function launch(): void {
    if (isClosed) return;
    const now = performance.now();
    let expired = false;
    while (flights.sending < concurrency && flights.sending + flights.ended < mostUnrecorded) {
      const next = flights.next();
      if (next === undefined) break;
      expired = isExpired(next, now);
      if (expired) break;
      flights.begin(next);
      void fly(next);
    }
    if (!expired) return;
    void giveBack(flights.takeWaiting((flight) => isExpired(flight, now)));
    launch();
  }

  return {
    launch,
    async close() {
      isClosed = true;
      await giveBack(flights.takeWaiting(() => true));
    },
  };
}
