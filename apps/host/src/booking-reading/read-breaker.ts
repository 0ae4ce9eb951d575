import { type Admission, admit, afterFailure, type BreakerState, closed } from './breaker-policy.ts';
import { allowsStaleBooking, isHeldBack } from './stale-policy.ts';

/** An installation, as it is set up. */
export interface ReadSource {
  readonly pool: string;
  readonly bookingSystem: string;
  /** Changes with its settings: what failed by former ones says nothing of new ones. */
  readonly version: string;
}

/** An installation whose last read failed. */
export interface FailingSource extends Pick<ReadSource, 'pool' | 'bookingSystem'> {
  /** No read goes at present. */
  readonly isHeld: boolean;
}

/** The booking system was not asked, because it has just failed several times in a row. */
export class ReadHeldBack extends Error {
  override readonly name = 'ReadHeldBack';
  /** The error of the last read. */
  readonly lastError: unknown;
  /** Milliseconds until it is asked again. */
  readonly waitMs: number;

  constructor(lastError: unknown, waitMs: number) {
    super('The booking system failed several times in a row and is not asked for some seconds.');
    this.lastError = lastError;
    this.waitMs = waitMs;
  }
}

/** Keeps reads from waiting, one after the other, for a booking system that does not answer. */
export interface ReadBreaker {
  /** Lets a read go. @throws ReadHeldBack */
  enter(source: ReadSource): void;
  /** Runs a read that was let go, and takes note of what came of it. */
  watch<Result>(source: ReadSource, read: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** The installations whose last read failed. */
  failing(): readonly FailingSource[];
}

interface Entry {
  readonly source: ReadSource;
  state: BreakerState;
  lastError: unknown;
}

const maxEntries = 10_000;

/** The {@link ReadBreaker} of this process. @param now a steady clock, milliseconds */
export function createReadBreaker(now: () => number = () => performance.now()): ReadBreaker {
  // Those that fail; an answer removes them.
  const entries = new Map<string, Entry>();
  const keyOf = ({ pool, bookingSystem }: ReadSource) => JSON.stringify([pool, bookingSystem]);

  function entryOf(source: ReadSource): Entry | undefined {
    const entry = entries.get(keyOf(source));
    return entry?.source.version === source.version ? entry : undefined;
  }

  function fail(source: ReadSource, error: unknown): void {
    const state = afterFailure(entryOf(source)?.state ?? closed, now());
    entries.delete(keyOf(source));
    entries.set(keyOf(source), { source, state, lastError: error });
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  }

  return {
    enter(source) {
      const entry = entryOf(source);
      if (entry === undefined) return;
      const { state, waitMs }: Admission = admit(entry.state, now());
      entry.state = state;
      if (waitMs > 0) throw new ReadHeldBack(entry.lastError, waitMs);
    },
    async watch(source, read, signal) {
      try {
        const result = await read();
        entries.delete(keyOf(source));
        return result;
      } catch (error) {
        // A request that was held back says nothing of it either.
        if (isHeldBack(error)) throw error;
        if (allowsStaleBooking(error)) fail(source, error);
        // A caller who left says nothing of the booking system; any other error is an answer, or ours.
        else if (!signal.aborted) entries.delete(keyOf(source));
        throw error;
      }
    },
    failing: () =>
      [...entries.values()].map(({ source: { pool, bookingSystem }, state }) => ({
        pool,
        bookingSystem,
        isHeld: state.heldUntil !== undefined && now() < state.heldUntil,
      })),
  };
}
