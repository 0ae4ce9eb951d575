import { type Admission, admit, afterFailure, type BreakerState, closed } from './breaker-policy.ts';
import { allowsStaleBooking, isHeldBack } from './stale-policy.ts';

/** An installation with a version of its configuration. */
export interface ReadSource {
  readonly pool: string;
  readonly bookingSystem: string;
  /** The version of its configuration: failures with a former one do not count. */
  readonly version: string;
}

/** An installation whose last read failed. */
export interface FailingSource extends Pick<ReadSource, 'pool' | 'bookingSystem'> {
  /** Whether reads are held back at present. */
  readonly isHeld: boolean;
}

// An authorization that is lost is tried again after a minute at the earliest.
const unknownWaitMs = 60_000;

/** Milliseconds for which a booking system that was not asked is not to be asked; undefined if it was. */
export function heldBackFor(error: unknown): number | undefined {
  if (error instanceof ReadHeldBack) return error.waitMs;
  if (!isHeldBack(error)) return undefined;
  return 'retryAfterMs' in error && typeof error.retryAfterMs === 'number'
    ? error.retryAfterMs
    : unknownWaitMs;
}

/** The read was held back, because the last ones failed. */
export class ReadHeldBack extends Error {
  override readonly name = 'ReadHeldBack';
  /** The error of the last read. */
  readonly lastError: unknown;
  /** Milliseconds until the next read may start. */
  readonly waitMs: number;

  constructor(lastError: unknown, waitMs: number) {
    super('The booking system failed several times in a row and is not asked for some seconds.');
    this.lastError = lastError;
    this.waitMs = waitMs;
  }
}

/** A circuit breaker: keeps reads from waiting for a booking system that does not respond. */
export interface ReadBreaker {
  /**
   * Admits a read.
   * @throws ReadHeldBack
   */
  enter(source: ReadSource): void;
  /** Runs an admitted read and records its result. */
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

/**
 * Creates the {@link ReadBreaker} of this process.
 * @param now a monotonic clock, in milliseconds
 */
export function createReadBreaker(now: () => number = () => performance.now()): ReadBreaker {
  // The failing installations; a response removes them.
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
        // An abort by the caller says nothing about the booking system; any other error is a response, or a fault of
        // the service.
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
