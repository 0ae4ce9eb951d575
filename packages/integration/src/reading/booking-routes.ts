import {
  type bookingAnswerSchema,
  listBookings,
  type listedBookingSchema,
  readBooking,
  redactedBookingSchema,
} from '@waiver-service/api';
import type { Booking, Warning } from '@waiver-service/core';
import {
  type Caller,
  callerSignal,
  type HostApp,
  HttpProblem,
  hiddenMessage,
  isPerson,
  RouteModule,
  seesGuests,
  unknownPool,
} from '@waiver-service/http';
import type { BookingWaiver, PoolSetup } from '@waiver-service/store';
import { type ContainerModuleLoadOptions, inject, injectable } from 'inversify';
import type { z } from 'zod';
import { IntegrationSettings, Outbound, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { BookingSystemConnector } from '../plugins/connect-booking-system.ts';
import { setupOf } from '../serving/authenticate-callers.ts';
import { periodOf } from './booking-days.ts';
import { matchWaivers, prefillGuests, type SigningWaiver } from './booking-guests.ts';
import { BookingReader, type BookingReading, createBookingReader } from './booking-reader.ts';
import { BookingSources, createBookingSources } from './booking-sources.ts';
import type { ReadStep } from './describe-read.ts';
import { explainRead } from './explained-read.ts';
import { BookingLister, type BookingListItem, createBookingLister } from './list-bookings.ts';

/** A booking without anything that may be about its guests. */
function redactedBooking(booking: Booking): z.input<typeof redactedBookingSchema> {
  return redactedBookingSchema.parse({ ...booking, contact: null, guests: null });
}

type BookingAnswer = z.input<typeof bookingAnswerSchema>;

interface BookingAnswerParts {
  readonly reading: BookingReading;
  readonly prefillProperties: readonly string[];
  readonly waivers: readonly SigningWaiver[];
  readonly timeZone: string;
  readonly now: Date;
  readonly caller: Caller | null;
}

const withoutMessage = (warning: Warning) => ({ ...warning, message: hiddenMessage });

// Missing guests are identified only by the booking's own ids.
const withoutNames = (missing: BookingAnswer['waivers']['missing']) =>
  missing.map(({ name: _, ...guest }) => guest);

/**
 * Combines a booking, the pre-fill of its guests' waivers, and who has signed; without guests' data if the caller may
 * not see it.
 */
export function bookingAnswer({
  reading,
  prefillProperties,
  waivers,
  timeZone,
  now,
  caller,
}: BookingAnswerParts): BookingAnswer {
  const { booking, form } = reading.fetched;
  const { guests, booker, warnings: masked } = prefillGuests(booking, prefillProperties);
  const warnings = [...reading.fetched.warnings, ...masked];
  const { signed, missing, guests: matched } = matchWaivers(booking, waivers, timeZone);
  const age = now.getTime() - reading.fetchedAt.getTime();
  const { bookingSystem, stale } = reading;
  const freshness = {
    fetchedAt: reading.fetchedAt,
    stale,
    ...(stale ? { ageSeconds: Math.floor(age / 1000) } : {}),
  };
  if (!seesGuests(caller)) {
    return {
      bookingSystem,
      form,
      booking: redactedBooking(booking),
      redacted: true,
      booker: null,
      guests: null,
      waivers: { signed, pax: booking.pax, missing: withoutNames([...missing]) },
      warnings: warnings.map(withoutMessage),
      ...freshness,
    };
  }
  return {
    bookingSystem,
    form,
    booking,
    ...(booker ? { booker } : {}),
    guests: guests.map((guest, index) => ({ ...guest, signed: false, ...matched[index] })),
    waivers: { signed, pax: booking.pax, missing: [...missing] },
    warnings,
    ...freshness,
  };
}

interface Read {
  readonly setup: PoolSetup;
  readonly bookingSystem: string | undefined;
  readonly bookingId: string;
  readonly signal: AbortSignal;
}

/** `GET /v1/pools/{pool}/bookings/{booking_id}`: a booking, the pre-fill of its waivers, and who has signed. */
@injectable()
class BookingRoute implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Outbound) private readonly outbound: Outbound,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingSources) private readonly bookingSources: BookingSources,
    @inject(BookingReader) private readonly bookingReader: BookingReader,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, bookingReader, bookingSources: sources, outbound } = this;

    /** Reads for a person, over separate connections: the booking system's answers are shown but not stored. */
    async function readExplained(request: Read): Promise<[BookingReading, readonly ReadStep[]]> {
      const { result, steps } = await explainRead<BookingReading>({
        sources,
        outbound,
        ...request,
        read: (_source, trace) => bookingReader.read({ ...request, trace }),
      });
      if ('error' in result) throw result.error;
      return [result.value, steps];
    }

    app.route({
      ...readBooking,
      handler: async (request, reply) => {
        const { pool: poolId, booking_id: bookingId } = request.params;
        const { bookingSystem } = request.query;
        const isExplained = request.query.explain === 'true';
        // Not validated: the response to an unknown name lists the known ones.
        if (bookingSystem !== undefined) bookingSystems.resolve(bookingSystem);
        const { caller } = request;
        if (isExplained && !(isPerson(caller) && caller.seesGuests)) {
          throw new HttpProblem(
            403,
            'forbidden',
            'Only operators and owners may ask how a booking was read.',
          );
        }
        const setup = setupOf(caller) ?? (await store.pools.setup(poolId));
        if (!setup) throw unknownPool(poolId);
        const read = { setup, bookingSystem, bookingId, signal: callerSignal(reply) };
        const [reading, steps] = isExplained ? await readExplained(read) : [await bookingReader.read(read)];
        const key = { pool: poolId, bookingSystem: reading.bookingSystem, bookingId: reading.bookingId };
        const waivers = await store.waivers.forBooking(key);
        const { prefillProperties, timeZone } = setup;
        const parts = { reading, prefillProperties, waivers, timeZone, now: new Date(), caller };
        const answer = bookingAnswer(parts);
        if (steps === undefined) return answer;
        return {
          ...answer,
          explanation: { steps: [...steps], aliases: [...(await store.bookings.aliases(key))] },
        };
      },
    });
  }
}

function itemAnswer(
  { bookingId, fetched, error }: BookingListItem,
  waivers: readonly BookingWaiver[],
  timeZone: string,
  caller: Caller | null,
): z.infer<typeof listedBookingSchema> {
  const booking: Booking | undefined = fetched?.booking;
  const isRedacted = !seesGuests(caller);
  const { signed } = matchWaivers(booking, waivers, timeZone);
  return {
    bookingId,
    booking: booking === undefined ? null : isRedacted ? redactedBooking(booking) : booking,
    ...(isRedacted ? { redacted: true as const } : {}),
    waivers: { signed, pax: booking?.pax ?? null },
    error: error === undefined ? null : { ...error, ...(isRedacted ? { message: hiddenMessage } : {}) },
  };
}

/** `GET /v1/pools/{pool}/bookings`: the bookings with a session in a period, and how many have signed. */
@injectable()
class ListBookingsRoute implements RouteModule {
  constructor(
    @inject(Store) private readonly store: Store,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingLister) private readonly bookingLister: BookingLister,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, bookingSystems, bookingLister } = this;

    app.route({
      ...listBookings,
      handler: async (request, reply) => {
        const { pool } = request.params;
        const { bookingSystem: named, limit, cursor, ...period } = request.query;
        if (named !== undefined) bookingSystems.resolve(named);
        const { caller } = request;
        const signal = callerSignal(reply);
        const setup = setupOf(caller) ?? (await store.pools.setup(pool));
        if (!setup) throw unknownPool(pool);
        const query = { ...periodOf(period), setup, bookingSystem: named, limit, cursor, signal };
        const { bookingSystem, items, next } = await bookingLister.list(query);
        const answers = items.map(async (item) => {
          const waivers = await store.waivers.forBooking({ pool, bookingSystem, bookingId: item.bookingId });
          return itemAnswer(item, waivers, setup.timeZone, caller);
        });
        return { bookingSystem, items: await Promise.all(answers), next };
      },
    });
  }
}

/** Reading bookings, and the waiver app's routes for it. */
export function bindReading({ bind }: ContainerModuleLoadOptions): void {
  bind(BookingSources).toResolvedValue(
    (store: Store, connector: BookingSystemConnector, { outboundTimeout: timeout }: IntegrationSettings) =>
      createBookingSources({ store, connector, timeout }),
    [Store, BookingSystemConnector, IntegrationSettings],
  );
  bind(BookingReader).toResolvedValue(
    (store: Store, sources: BookingSources) => createBookingReader({ store, sources }),
    [Store, BookingSources],
  );
  bind(BookingLister).toResolvedValue(
    (store: Store, sources: BookingSources, bookingReader: BookingReader) =>
      createBookingLister({ store, sources, bookingReader }),
    [Store, BookingSources, BookingReader],
  );
  bind(RouteModule).to(ListBookingsRoute);
  bind(RouteModule).to(BookingRoute);
}
