import {
  type BookingSystemContext,
  BookingSystemTimeout,
  type InstalledAccount,
  isBookingSystemError,
  RateLimited,
  requestedWaitMs,
} from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import { type CallTrace, holdMsOf } from '@waiver-service/outbound';
import type { PoolSetup, Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import type { BookingSystemConnection, BookingSystemConnector } from '../plugins/connect-booking-system.ts';
import { createReadBreaker, type FailingSource, type ReadSource } from './read-breaker.ts';

export interface BookingSourcesOptions {
  readonly store: Pick<Store, 'report' | 'outbox'>;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  /** Milliseconds in which a booking system must answer. */
  readonly timeout: number;
}

/** An installation, with its connection and destination. */
export interface BookingSource extends ReadSource {
  readonly connection: BookingSystemConnection;
  readonly destination: string;
  readonly heldUntil: number;
}

/** One read of a booking system: of a booking, of a list, or of changes. */
interface BookingRequest<Answer> {
  readonly source: BookingSource;
  readonly signal: AbortSignal;
  /** Asks for a token even if the last one was refused. */
  readonly evenIfFailing?: boolean | undefined;
  /** Traces the requests. */
  readonly trace?: CallTrace | undefined;
  readonly ask: (context: BookingSystemContext<unknown, InstalledAccount>) => Promise<Answer>;
}

/** Asks booking systems on behalf of pools, within the limits of both. */
export interface BookingSources {
  /** @throws HttpProblem 404 `unknown_booking_system`, 409 `booking_system_ambiguous`, 424 `not_installed` */
  sourceFor(setup: PoolSetup, bookingSystem: string | undefined): Promise<BookingSource>;
  /** @throws HttpProblem 409 `booking_system_not_configured` */
  requireConfigured(source: BookingSource, signal: AbortSignal): void;
  /**
   * Admits a question, unless the booking system asked for fewer requests or has just failed several times.
   * @throws RateLimited
   * @throws ReadHeldBack
   */
  admit(source: BookingSource): void;
  /**
   * Asks within the time limit, and records whether the booking system answered.
   * @throws HttpProblem 409 `booking_system_not_configured`
   * @throws BookingSystemError
   */
  ask<Answer>(question: BookingRequest<Answer>): Promise<Answer>;
  /** The installations whose last question by this process failed. */
  failing(): readonly FailingSource[];
}
export const BookingSources: ServiceIdentifier<BookingSources> = Symbol('BookingSources');

const noteEveryMs = 60_000;
const maxRemembered = 10_000;

/**
 * Creates a function that alerts on a rejected key, at most once a minute per installation. Not left to Guest Updates:
 * some booking systems take none, and elsewhere reads come long before the first one.
 */
function createRejectedKeys(
  report: Store['report'],
): (source: Pick<BookingSource, 'destination'>, error: unknown) => void {
  const notedAt = new Map<string, number>();
  return ({ destination }, error) => {
    if (!isBookingSystemError(error) || error.code !== 'booking_system_auth_rejected') return;
    const last = notedAt.get(destination) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last < noteEveryMs) return;
    if (notedAt.size >= maxRemembered) notedAt.clear();
    notedAt.set(destination, performance.now());
    // Fire and forget: don't delay the response.
    report({ event: 'installation.auth_rejected', subject: destination }).catch(() =>
      notedAt.delete(destination),
    );
  };
}

/** Milliseconds for which an error asks that no requests be sent; 0 if it asks for no pause. */
function holdMsOfError(error: unknown): number {
  if (!isBookingSystemError(error) || error.notSent || error.inDoubt) return 0;
  const throttled = error.code === 'booking_system_rate_limited';
  return holdMsOf({ status: error.upstreamStatus, retryAfterMs: requestedWaitMs(error), throttled });
}

/** The {@link BookingSources} of this process. */
export function createBookingSources({ store, connector, timeout }: BookingSourcesOptions): BookingSources {
  const breaker = createReadBreaker();
  const noteRejected = createRejectedKeys(store.report);

  async function sourceFor(setup: PoolSetup, named: string | undefined): Promise<BookingSource> {
    const bookingSystem = named ?? chooseBookingSystem(setup);
    if (bookingSystem === undefined) throw notInstalled(setup);
    const wanted = setup.versionOf(bookingSystem);
    const connection = wanted && (await connector.connect(wanted));
    if (wanted === undefined || connection === undefined) throw notInstalled(setup, bookingSystem);
    const { destination, settingsVersion: version, heldUntil } = wanted;
    return { pool: setup.pool, bookingSystem, version, connection, destination, heldUntil };
  }

  // A missing configuration is not a failure of the booking system.
  function contextOf(
    { connection }: BookingSource,
    signal: AbortSignal,
    { evenIfFailing: evenIfRefused = false, trace }: Pick<BookingRequest<unknown>, 'evenIfFailing' | 'trace'>,
  ) {
    try {
      return connection.contextFor({ purpose: 'read', signal, evenIfRefused, trace });
    } catch (error) {
      if (!isBookingSystemError(error) || error.code !== 'booking_system_not_configured') throw error;
      throw new HttpProblem(409, 'booking_system_not_configured', error.message, { cause: error });
    }
  }

  function admit(source: BookingSource): void {
    const waitMs = Math.ceil(source.heldUntil - performance.now());
    if (waitMs <= 0) {
      breaker.admit(source);
      return;
    }
    const { displayName } = source.connection.plugin;
    const seconds = Math.ceil(waitMs / 1_000);
    throw new RateLimited(`${displayName} has asked for fewer requests: it is asked again in ${seconds} s`, {
      notSent: true,
      retryAfterMs: waitMs,
    });
  }

  /** Makes all hosts hold requests if the booking system asks for that, and alerts on a rejected key. */
  async function withHold<Result>(source: BookingSource, read: () => Promise<Result>): Promise<Result> {
    const { destination } = source;
    try {
      return await read();
    } catch (error) {
      noteRejected(source, error);
      const holdMs = holdMsOfError(error);
      // The caller gets the booking system's error, even if the hold cannot be stored.
      if (holdMs > 0) await store.outbox.hold([{ destination, holdMs }]).catch(() => undefined);
      throw error;
    }
  }

  return {
    sourceFor,
    requireConfigured(source, signal) {
      contextOf(source, signal, {});
    },
    admit,
    // The order is explained in booking-reader.ts.
    ask({ source, signal: callerSignal, ask, ...options }) {
      return breaker.withBreaker(source, callerSignal, () =>
        withHold(source, () =>
          withDeadline(timeout, callerSignal, async (signal) =>
            ask(contextOf(source, signal, options)),
          ).finally(() => options.trace?.end()),
        ),
      );
    },
    failing: () => breaker.failing(),
  };
}

/**
 * Chooses one of a pool's installed booking systems for a request that names none: the pool's default, otherwise the
 * only one; `undefined` if there is none.
 * @throws HttpProblem 409 `booking_system_ambiguous` if there are several and no default
 */
export function chooseBookingSystem({
  pool,
  bookingSystems,
  defaultBookingSystem,
}: Pick<PoolSetup, 'pool' | 'bookingSystems' | 'defaultBookingSystem'>): string | undefined {
  if (defaultBookingSystem !== null) return defaultBookingSystem;
  if (bookingSystems.length > 1) {
    throw new HttpProblem(
      409,
      'booking_system_ambiguous',
      `Several booking systems are installed for pool ${JSON.stringify(pool)}: name one of them as bookingSystem (${bookingSystems.join(', ')}), or set the pool’s defaultBookingSystem.`,
    );
  }
  return bookingSystems[0];
}

/** 424: the booking system is not installed for the pool, or the pool has none. */
export function notInstalled(
  { pool, pendingBookingSystems }: Pick<PoolSetup, 'pool' | 'pendingBookingSystems'>,
  bookingSystem: string | undefined = pendingBookingSystems[0],
): HttpProblem {
  if (bookingSystem !== undefined && pendingBookingSystems.includes(bookingSystem)) {
    return new HttpProblem(
      424,
      'not_installed',
      `${bookingSystem} waits for an operator’s approval for this pool: POST /v1/admin/pools/{pool}/installations/${bookingSystem}/approve.`,
    );
  }
  if (bookingSystem !== undefined) {
    return new HttpProblem(424, 'not_installed', `${bookingSystem} is not installed for this pool.`);
  }
  return new HttpProblem(
    424,
    'not_installed',
    `No booking system is installed for pool ${JSON.stringify(pool)}. Install one from its own dashboard, or by PUT /v1/admin/pools/{pool}/installations/{booking_system}.`,
  );
}

/**
 * Limits the duration of work, even if it ignores its signal.
 * @param milliseconds the limit
 * @throws BookingSystemTimeout when it is reached
 */
export function withDeadline<Result>(
  milliseconds: number,
  callerSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      ending.abort(reason);
      reject(reason);
    };
    const leave = () => end(callerSignal.reason);
    const timer = setTimeout(() => {
      const sentence = `The booking system did not answer within ${milliseconds / 1000} seconds.`;
      end(new BookingSystemTimeout(sentence, { outboundErrorCode: 'timeout' }));
    }, milliseconds);
    callerSignal.addEventListener('abort', leave, { once: true });
    if (callerSignal.aborted) leave();
    work(ending.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        callerSignal.removeEventListener('abort', leave);
      });
  });
}
