import {
  type BookingSystemError,
  isBookingSystemError,
  type OutboundErrorCode,
  requestedWaitMs,
} from '@waiver-service/core';

// There was no response because of the partner or the network. A redirect, an oversized response or a refused address
// will not improve by waiting.
const unreachable: ReadonlySet<OutboundErrorCode> = new Set([
  'dns_error',
  'connection_refused',
  'connection_reset',
  'timeout',
  'tls_error',
]);

/**
 * Whether a failed read may be answered with the last good booking: on time-out, 5xx, 429 or an unreachable booking
 * system; never on 401, 403, 404 or an answer that is not a booking.
 */
export function allowsStaleBooking(error: unknown): boolean {
  if (!isBookingSystemError(error)) return false;
  switch (error.code) {
    case 'booking_system_timeout':
    case 'booking_system_rate_limited':
      return true;
    case 'booking_system_error':
      return error.upstreamStatus === undefined
        ? error.outboundErrorCode !== undefined && unreachable.has(error.outboundErrorCode)
        : error.upstreamStatus >= 500;
    default:
      return false;
  }
}

/**
 * Whether a read failed before the booking system was asked: its request budget is used up, or it does not renew the
 * installation's authorization.
 */
export const isHeldBack = (error: unknown): error is BookingSystemError =>
  isBookingSystemError(error) && error.notSent;

/**
 * When reads of one installation are held back, as a function of how earlier ones ended.
 *
 * - closed (`heldUntil` undefined): every read starts. The fifth failure in a row within a minute holds reads back.
 * - held (before `heldUntil`): no read starts.
 * - held, and `heldUntil` has passed: one read starts, as a probe, and the others are held back for another hold.
 * - Any answer, even one that is not a booking, closes it. A failed probe begins a new hold.
 */
export interface BreakerState {
  /** The times of the last failures in a row, in milliseconds. */
  readonly failures: readonly number[];
  readonly heldUntil: number | undefined;
  readonly isProbing: boolean;
}

/** Whether a read may start now, and the next state. */
export interface Admission {
  readonly state: BreakerState;
  /** Milliseconds until the next read may start; 0 if this one may. */
  readonly waitMs: number;
}

export const maxFailuresInARow = 5;
export const failuresWithinMs = 60_000;
export const holdMs = 15_000;

/** The state of an installation without failures. */
export const closed: BreakerState = { failures: [], heldUntil: undefined, isProbing: false };

/** Decides whether a read may start at a given time. */
export function admit(state: BreakerState, now: number): Admission {
  if (state.heldUntil === undefined) return { state, waitMs: 0 };
  if (now < state.heldUntil) return { state, waitMs: state.heldUntil - now };
  // If a probe never ends, because its caller left, another one follows.
  return { state: { ...state, heldUntil: now + holdMs, isProbing: true }, waitMs: 0 };
}

/** The state after a failed read. Reads that began before a hold do not extend it. */
export function afterFailure(state: BreakerState, now: number): BreakerState {
  if (state.heldUntil !== undefined) {
    return state.isProbing ? { ...state, heldUntil: now + holdMs, isProbing: false } : state;
  }
  const failures = [...state.failures, now].slice(-maxFailuresInARow);
  const [first = now] = failures;
  const isHeld = failures.length === maxFailuresInARow && now - first <= failuresWithinMs;
  return { failures, heldUntil: isHeld ? now + holdMs : undefined, isProbing: false };
}

/** An installation with a version of its configuration. */
export interface ReadSource {
  readonly pool: string;
  readonly bookingSystem: string;
  /** The version of its configuration: failures with an earlier one do not count. */
  readonly version: string;
}

/** An installation whose last read failed. */
export interface FailingSource extends Pick<ReadSource, 'pool' | 'bookingSystem'> {
  /** Whether reads are held back at present. */
  readonly isHeld: boolean;
}

// A lost authorization is retried after a minute at the earliest.
const unknownWaitMs = 60_000;

/** Milliseconds until a booking system that was not asked may be asked; undefined if it was asked. */
export function heldBackFor(error: unknown): number | undefined {
  if (error instanceof ReadHeldBack) return error.waitMs;
  if (!isHeldBack(error)) return undefined;
  return requestedWaitMs(error) ?? unknownWaitMs;
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
  admit(source: ReadSource): void;
  /** Runs an admitted read and records its result. */
  withBreaker<Result>(source: ReadSource, signal: AbortSignal, read: () => Promise<Result>): Promise<Result>;
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
    admit(source) {
      const entry = entryOf(source);
      if (entry === undefined) return;
      const { state, waitMs }: Admission = admit(entry.state, now());
      entry.state = state;
      if (waitMs > 0) throw new ReadHeldBack(entry.lastError, waitMs);
    },
    async withBreaker(source, signal, read) {
      try {
        const result = await read();
        entries.delete(keyOf(source));
        return result;
      } catch (error) {
        // A request that was held back says nothing about the booking system.
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
