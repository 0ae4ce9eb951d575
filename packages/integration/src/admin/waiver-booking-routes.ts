import {
  attachUnmatchedWaiver,
  deleteWaiverBooking,
  dismissUnmatchedWaiver,
  listUnmatchedWaivers,
  listWaiverVersions,
  putWaiverBooking,
  type UnmatchedWaiver,
  type WaiverVersion,
  type waiverBookingSchema,
} from '@waiver-service/api';
import {
  type Caller,
  changeActorOf,
  type HostApp,
  HttpProblem,
  malformed,
  pageOf,
  type RouteModule,
  seesGuests,
  unknownPool,
} from '@waiver-service/http';
import type { Attachment, BookingWaiver, UnmatchedReason } from '@waiver-service/store';
import type { BookingKey, MissingReference } from '@waiver-service/waivers';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { activitiesOf, isCancelled } from '../reading/booking-days.ts';
import { matchWaivers, type SignedBooking, validWaivers } from '../reading/booking-guests.ts';
import { BookingReader } from '../reading/booking-reader.ts';
import { chooseBookingSystem } from '../reading/booking-sources.ts';
import {
  missingWaiver,
  waiverNotFound,
  waiverRecordAnswer,
  waiverVoided,
} from '../waivers/waiver-problems.ts';
import { requirePool } from './admin-paths.ts';

const versionAnswer = (version: WaiverVersion, withAnswers: boolean): WaiverVersion =>
  withAnswers ? version : { ...version, answers: null, redacted: true };

type PlaceBody = z.output<typeof waiverBookingSchema>;

const cancelled = () => new HttpProblem(409, 'booking_cancelled', 'This booking was cancelled.');

const guestNotFound = (id: string) =>
  new HttpProblem(404, 'booking_guest_not_found', `The booking has no guest ${JSON.stringify(id)}.`);

const guestSigned = (id: string, waiverId: string | undefined) =>
  new HttpProblem(
    409,
    'guest_signed',
    `The guest ${JSON.stringify(id)} has signed already, by the waiver ${JSON.stringify(waiverId)}: void or detach that one first.`,
  );

const expired = (id: string, validUntil: string | null) =>
  new HttpProblem(
    409,
    'waiver_expired',
    `The waiver ${JSON.stringify(id)} is valid until ${validUntil}, which is before the last session of the booking: have the guest sign again.`,
  );

/** @throws HttpProblem 400 if a waiver or a guest is named twice */
function requireDistinct(wanted: readonly Attachment[]): void {
  const ids = wanted.map(({ id }) => id);
  const guests = wanted.flatMap(({ bookingGuestId }) => bookingGuestId ?? []);
  if (new Set(ids).size === ids.length && new Set(guests).size === guests.length) return;
  throw malformed([{ path: 'together', message: 'names a waiver or a guest twice' }]);
}

/** The booking as stored, otherwise as its booking system returns it now. */
async function readBooking(
  { store, bookingSystems, bookingReader }: WaiverBookingRoutes,
  pool: string,
  { bookingSystem, bookingId }: PlaceBody,
  signal: AbortSignal,
) {
  // Not validated: the response to an unknown name lists the known ones.
  if (bookingSystem !== undefined) bookingSystems.resolve(bookingSystem);
  const setup = await store.pools.setup(pool);
  if (setup === undefined) throw unknownPool(pool);
  const { timeZone } = setup;
  const named = bookingSystem ?? chooseBookingSystem(setup);
  const isInstalled = named !== undefined && setup.bookingSystems.includes(named);
  const stored = isInstalled ? await store.bookings.get(pool, named, bookingId) : undefined;
  if (isInstalled && stored !== undefined) return { ...stored, bookingSystem: named, timeZone };
  return { ...(await bookingReader.read({ setup, bookingSystem, bookingId, signal })), timeZone };
}

const missingReferences: { readonly [Reason in UnmatchedReason]: MissingReference } = {
  guest_gone: 'guest',
  booking_gone: 'booking',
};

interface Target extends BookingKey {
  readonly booking: SignedBooking;
  readonly timeZone: string;
}

/**
 * The waivers not attached there yet, each with the reference (guest or booking) that its booking system no longer has.
 * @throws HttpProblem 404, 410, 409 `waiver_voided` or `waiver_expired`
 */
async function toAttach(
  { store: { waivers, unmatchedWaivers } }: WaiverBookingRoutes,
  { pool, bookingSystem, bookingId, booking, timeZone }: Target,
  wanted: readonly Attachment[],
) {
  const found: Attachment[] = [];
  for (const { id, bookingGuestId } of wanted) {
    const record = await waivers.get(pool, id);
    if (record === undefined) throw await missingWaiver({ store: { waivers } }, pool, id);
    if (record.deleted) throw waiverVoided(id);
    if (validWaivers(booking, [record], timeZone).length === 0) throw expired(id, record.validUntil);
    const isThere =
      record.bookingSystem === bookingSystem &&
      record.bookingId === bookingId &&
      record.bookingGuestId === bookingGuestId;
    const reason = await unmatchedWaivers.reasonFor(pool, id);
    const missing: MissingReference | undefined = reason && missingReferences[reason];
    if (!isThere) found.push({ id, bookingGuestId, missing });
  }
  return found;
}

/** Refuses a guest who has signed a waiver other than those being attached. */
function refusalOf(booking: SignedBooking, timeZone: string, attached: readonly Attachment[]) {
  const { guests } = booking;
  const ids = new Set(attached.map(({ id }) => id));
  return (waivers: readonly BookingWaiver[]): HttpProblem | undefined => {
    const others = waivers.filter(({ id }) => !ids.has(id));
    const { guests: matched } = matchWaivers(booking, others, timeZone);
    for (const { bookingGuestId } of attached) {
      const found = bookingGuestId === null ? -1 : guests.findIndex(({ id }) => id === bookingGuestId);
      if (bookingGuestId !== null && matched[found]?.signed) {
        return guestSigned(bookingGuestId, matched[found].waiverId);
      }
    }
    return undefined;
  };
}

/** Staff attach a waiver to a booking and its guest, or detach it. */
@injectable()
export class WaiverBookingRoutes implements RouteModule {
  constructor(
    @inject(Store) readonly store: Store,
    @inject(BookingSystemResolver) readonly bookingSystems: BookingSystemResolver,
    @inject(BookingReader) readonly bookingReader: BookingReader,
  ) {}

  addRoutes(app: HostApp): void {
    const { waivers, unmatchedWaivers } = this.store;

    app.route({
      ...putWaiverBooking,
      handler: async ({ params: { pool, id }, body, caller, signal }) => {
        const wanted = [{ id, bookingGuestId: body.bookingGuestId }, ...body.together];
        requireDistinct(wanted);
        const { bookingSystem, bookingId, fetched, timeZone } = await readBooking(this, pool, body, signal);
        const { guests, bookedSessions } = fetched.booking;
        if (isCancelled(fetched.booking)) throw cancelled();
        for (const { bookingGuestId } of wanted) {
          if (bookingGuestId !== null && !guests.some((guest) => guest.id === bookingGuestId))
            throw guestNotFound(bookingGuestId);
        }
        const booking = { pool, bookingSystem, bookingId };
        const result = await waivers.attach({
          booking,
          activities: activitiesOf(bookedSessions),
          waivers: await toAttach(this, { ...booking, booking: fetched.booking, timeZone }, wanted),
          by: changeActorOf(caller),
          refuse: refusalOf(fetched.booking, timeZone, wanted),
        });
        if (result.outcome === 'refused') throw result.refusal;
        if (result.outcome === 'not-found') throw await missingWaiver(this, pool, result.id);
        if (result.outcome === 'voided') throw waiverVoided(result.id);
        if (result.outcome === 'answers-too-large') throw new Error('answers grew without being changed');
        const records = await Promise.all(wanted.map((waiver) => waivers.get(pool, waiver.id)));
        return {
          waivers: records
            .flatMap((record) => record ?? [])
            .map((record) => waiverRecordAnswer(record, seesGuests(caller))),
        };
      },
    });

    app.route({
      ...deleteWaiverBooking,
      handler: async ({ params: { pool, id }, caller }, reply) => {
        const record = await waivers.get(pool, id);
        if (record === undefined) throw await missingWaiver(this, pool, id);
        if (record.bookingId !== null) {
          const reason = await unmatchedWaivers.reasonFor(pool, id);
          const result = await waivers.update(
            pool,
            id,
            { bookingSystem: null, bookingId: null, bookingGuestId: null },
            { by: changeActorOf(caller), missing: reason && missingReferences[reason] },
          );
          if (result.outcome === 'not-found') throw await missingWaiver(this, pool, id);
          if (result.outcome === 'voided') throw waiverVoided(id);
        }
        return reply.code(204).send(null);
      },
    });

    this.addVersions(app);
  }

  /** `GET /v1/admin/pools/{pool}/waivers/{id}/versions`: what changed in a waiver, when, and by whom. */
  private addVersions(app: HostApp): void {
    app.route({
      ...listWaiverVersions,
      handler: async ({ params: { pool, id }, query, caller }) => {
        if (!(await this.store.waivers.get(pool, id)))
          throw await missingWaiver({ store: this.store }, pool, id);
        return pageOf(this.store.waivers.versionsOf(pool, id, query), (item) =>
          versionAnswer(item, seesGuests(caller)),
        );
      },
    });
  }
}

const answerOf = (waiver: UnmatchedWaiver, caller: Caller | null): UnmatchedWaiver =>
  seesGuests(caller) ? waiver : { ...waiver, name: null, proposals: null, redacted: true };

const notListed = (id: string) =>
  new HttpProblem(
    404,
    'unmatched_waiver_not_found',
    `This pool lists no waiver ${JSON.stringify(id)} whose guest or booking is gone.`,
  );

/** Waivers whose guest or booking is gone from the booking system, and what a person does about them. */
@injectable()
export class UnmatchedWaiverRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...listUnmatchedWaivers,
      handler: async ({ params, query, caller }) => {
        await requirePool(this, params.pool);
        return pageOf(store.unmatchedWaivers.list(params.pool, query), (waiver) => answerOf(waiver, caller));
      },
    });

    app.route({
      ...attachUnmatchedWaiver,
      handler: async ({ params: { pool, id }, body, caller }) => {
        const reason = await store.unmatchedWaivers.reasonFor(pool, id);
        if (reason === undefined) throw notListed(id);
        const result = await store.waivers.update(pool, id, body, {
          missing: missingReferences[reason],
          by: changeActorOf(caller),
        });
        if (result.outcome === 'not-found') throw waiverNotFound(id);
        if (result.outcome === 'voided') throw waiverVoided(id);
        if (result.outcome === 'answers-too-large') throw new Error('answers grew without being changed');
        return waiverRecordAnswer(result.record, seesGuests(caller));
      },
    });

    app.route({
      ...dismissUnmatchedWaiver,
      handler: async ({ params: { pool, id } }, reply) => {
        if (!(await store.unmatchedWaivers.dismiss(pool, id))) throw notListed(id);
        return reply.code(204).send(null);
      },
    });
  }
}
