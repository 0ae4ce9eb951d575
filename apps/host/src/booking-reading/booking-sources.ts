import {
  type BookingSystemContext,
  type InstalledAccount,
  isBookingSystemError,
  RateLimited,
} from '@waiver-service/core';
import { holdsOf, outcomeOf } from '@waiver-service/delivery';
import type { CallTrace } from '@waiver-service/outbound';
import type { PoolSetup, Store } from '@waiver-service/store';
import type {
  BookingSystemConnection,
  BookingSystemConnector,
} from '../booking-systems/booking-system-connection.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { chooseBookingSystem, notInstalled } from './choose-booking-system.ts';
import { withDeadline } from './deadline.ts';
import { createReadBreaker, type FailingSource, type ReadSource } from './read-breaker.ts';
import { createRejectedKeys } from './rejected-keys.ts';

export interface BookingSourcesOptions {
  readonly store: Pick<Store, 'alerts' | 'outbox'>;
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  /** Milliseconds that a booking system has to answer. */
  readonly timeout: number;
}

/** An installation, and what it is called by. */
export interface BookingSource extends ReadSource {
  readonly connection: BookingSystemConnection;
  readonly destination: string;
  readonly heldUntil: number;
}

/** A question to a booking system. */
export interface BookingQuestion<Answer> {
  readonly source: BookingSource;
  readonly signal: AbortSignal;
  /** Asks for a token even if the last one was refused. */
  readonly evenIfFailing?: boolean | undefined;
  /** Follows the requests. */
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
   * Lets a question go, unless the booking system asked to be left alone or has just failed several times.
   * @throws RateLimited
   * @throws ReadHeldBack
   */
  enter(source: BookingSource): void;
  /**
   * Asks within the time limit, and records whether the booking system answered.
   * @throws HttpProblem 409 `booking_system_not_configured`
   * @throws BookingSystemError
   */
  ask<Answer>(question: BookingQuestion<Answer>): Promise<Answer>;
  /** The installations whose last question by this process failed. */
  failing(): readonly FailingSource[];
}

/** The {@link BookingSources} of this process. */
export function createBookingSources({ store, connector, timeout }: BookingSourcesOptions): BookingSources {
  const breaker = createReadBreaker();
  const noteRejected = createRejectedKeys(store.alerts);

  async function sourceFor(setup: PoolSetup, named: string | undefined): Promise<BookingSource> {
    const bookingSystem = named ?? chooseBookingSystem(setup);
    if (bookingSystem === undefined) throw notInstalled(setup);
    const wanted = setup.versionOf(bookingSystem);
    const connection = wanted && (await connector.connect(wanted));
    if (wanted === undefined || connection === undefined) throw notInstalled(setup, bookingSystem);
    const { destination, settingsVersion: version, heldUntil } = wanted;
    return { pool: setup.pool, bookingSystem, version, connection, destination, heldUntil };
  }

  // A missing configuration is no failure of the booking system.
  function contextOf(
    { connection }: BookingSource,
    signal: AbortSignal,
    { evenIfFailing: evenIfLost = false, trace }: Pick<BookingQuestion<unknown>, 'evenIfFailing' | 'trace'>,
  ) {
    try {
      return connection.contextFor({ purpose: 'read', signal, evenIfLost, trace });
    } catch (error) {
      if (!isBookingSystemError(error) || error.code !== 'booking_system_not_configured') throw error;
      throw new HttpProblem(409, 'booking_system_not_configured', error.message, { cause: error });
    }
  }

  /** Lets a read go, unless the booking system asked to be left alone or has just failed several times. */
  function enter(source: BookingSource): void {
    const waitMs = Math.ceil(source.heldUntil - performance.now());
    if (waitMs <= 0) {
      breaker.enter(source);
      return;
    }
    const { displayName } = source.connection.plugin;
    const seconds = Math.ceil(waitMs / 1_000);
    throw new RateLimited(`${displayName} has asked for fewer requests: it is asked again in ${seconds} s`, {
      notSent: true,
      retryAfterMs: waitMs,
    });
  }

  /** Has all hosts leave a booking system alone that asks for it, and alerts told of a rejected key. */
  async function holdIfAsked<Result>(source: BookingSource, read: () => Promise<Result>): Promise<Result> {
    const { destination } = source;
    try {
      return await read();
    } catch (error) {
      noteRejected(source, error);
      const holds = holdsOf([{ destination, result: outcomeOf(error) }]);
      // The caller gets the booking system's error, even if the hold cannot be stored.
      if (holds.length > 0) await store.outbox.hold(holds).catch(() => undefined);
      throw error;
    }
  }

  return {
    sourceFor,
    requireConfigured(source, signal) {
      contextOf(source, signal, {});
    },
    enter,
    ask({ source, signal: callerSignal, ask, ...options }) {
      const asking = () =>
        withDeadline(timeout, callerSignal, async (signal) =>
          ask(contextOf(source, signal, options)),
        ).finally(() => options.trace?.end());
      return breaker.watch(source, () => holdIfAsked(source, asking), callerSignal);
    },
    failing: () => breaker.failing(),
  };
}
