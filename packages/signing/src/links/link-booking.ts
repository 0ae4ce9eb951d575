import { type Booking, type BookingSystemError, isBookingSystemError } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import { type BookingReader, createSingleFlight, isCancelled, isHeldBack } from '@waiver-service/integration';
import type { BookingKey } from '@waiver-service/waivers';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import type { UsedCheckInLink } from '../data/check-in-links.ts';
import type { SigningStore } from '../data/signing-store.ts';
import { endOfLinks } from '../signings/signing-day.ts';
import { withoutTurn } from './guest-turns.ts';
import { expiredLink } from './link-access.ts';

/** The services that read the booking of a link. */
interface LinkServices {
  readonly store: SigningStore;
  readonly openedBookings: OpenedBookings;
}

/** A link's booking, by the booking's own id. */
export interface LinkedBooking extends BookingKey {
  /** Undefined while the booking system is unavailable: the guest can still sign. */
  readonly booking: Booking | undefined;
  /** When it was stored, if it was not read now. */
  readonly fetchedAt?: Date;
}

const notFound = () =>
  new HttpProblem(
    404,
    'booking_not_found',
    'The booking of this link is not there any more. Ask the operator for a new link.',
  );

const cancelled = () =>
  new HttpProblem(409, 'booking_cancelled', 'This booking was cancelled. Ask the operator.');

type LinkEnd = Pick<UsedCheckInLink, 'expiresAt'>;

/**
 * Requires that a link still works.
 * @throws HttpProblem 401 `link_expired`, 409 `booking_cancelled`
 */
export function requireOpen(link: LinkEnd, booking: Booking, now: Date): void {
  if (isCancelled(booking)) throw cancelled();
  if (link.expiresAt !== null) return;
  const end = endOfLinks(booking.bookedSessions);
  if (end !== undefined && end <= now) throw expiredLink();
}

type LinkPlace = Pick<UsedCheckInLink, 'pool' | 'bookingSystem' | 'bookingId'>;

const keyOf = ({ pool, bookingSystem, bookingId }: LinkPlace): BookingKey | undefined =>
  bookingSystem === null || bookingId === null ? undefined : { pool, bookingSystem, bookingId };

interface ReaderServices {
  readonly store: SigningStore;
  readonly bookingReader: BookingReader;
}

/** Reads the booking of a link now. Undefined for a pool without a setup. Throws as the booking reader does. */
async function readBooking(
  { store, bookingReader }: ReaderServices,
  key: BookingKey,
  signal: AbortSignal,
): Promise<(LinkedBooking & { readonly booking: Booking }) | undefined> {
  const setup = await store.pools.setup(key.pool);
  if (setup === undefined) return undefined;
  const { bookingId, fetched } = await bookingReader.read({ setup, ...key, signal });
  return { ...key, bookingId, booking: fetched.booking };
}

/** Has the booking read in the background, until that succeeds. */
const queueRead = ({ bookings }: SigningStore, { pool, bookingSystem, bookingId }: BookingKey) =>
  bookings.requestRefresh(pool, bookingSystem, [bookingId], { leavesQueued: true });

/** 404: the booking system has no such booking. */
const isNotFound = (error: unknown): boolean =>
  isBookingSystemError(error) && error.code === 'booking_not_found';

/**
 * Reads the booking of a link for the page.
 * @throws HttpProblem 401 `link_expired`, 404 `booking_not_found`, 409 `booking_cancelled`
 */
export async function readLinkedBooking(
  { store, openedBookings }: LinkServices,
  link: UsedCheckInLink,
  { signal, log }: { readonly signal: AbortSignal; readonly log: FastifyBaseLogger },
): Promise<LinkedBooking | undefined> {
  const key = keyOf(link);
  if (key === undefined) return undefined;
  try {
    const linked = await withoutTurn(() => openedBookings.read(key, signal));
    if (linked?.booking !== undefined) requireOpen(link, linked.booking, new Date());
    return linked;
  } catch (error) {
    if (error instanceof HttpProblem && error.status < 424) throw error;
    if (isNotFound(error)) throw notFound();
    log.warn(
      { err: error, pool: key.pool },
      'a guest checks in without the booking, which could not be read',
    );
    // Signings that arrive meanwhile are matched once the booking is read.
    await queueRead(store, key);
    return { ...key, booking: undefined };
  }
}

/** The booking of a link, as stored. */
async function findLinkedBooking(
  { store }: Pick<LinkServices, 'store'>,
  link: LinkPlace,
): Promise<LinkedBooking | undefined> {
  const key = keyOf(link);
  if (key === undefined) return undefined;
  const stored = await store.bookings.get(key.pool, key.bookingSystem, key.bookingId);
  if (stored === undefined) return { ...key, booking: undefined };
  return {
    ...key,
    bookingId: stored.bookingId,
    booking: stored.fetched.booking,
    fetchedAt: stored.fetchedAt,
  };
}

/**
 * As {@link findLinkedBooking}, for a link that still works.
 * @throws HttpProblem as {@link requireOpen}
 */
export async function storedLinkedBooking(
  services: Pick<LinkServices, 'store'>,
  link: UsedCheckInLink,
): Promise<LinkedBooking | undefined> {
  const linked = await findLinkedBooking(services, link);
  if (linked?.booking !== undefined) requireOpen(link, linked.booking, new Date());
  return linked;
}

/** How long a guest who has signed waits for the booking system: their page thanks them after eight seconds. */
const maxGuestWaitMs = 3_000;

interface SigningRead {
  readonly signal: AbortSignal;
  readonly judgement: 'now' | 'late' | 'accepted';
}

const unavailable = () =>
  new HttpProblem(424, 'booking_unavailable', 'The booking could not be read when the signing arrived.');

/**
 * The booking that a signing is judged by: as stored or, if it was not read within 24 hours, as the booking system
 * returns it now: read at most once a minute, since anyone may send signings, unless staff accept one. If that fails, a
 * signing whose guest waits, or that staff accept, is judged without it.
 * @throws HttpProblem for a signing that waited on a device, which is then kept for staff: 404 `booking_not_found`, 424
 * `booking_unavailable`
 */
export async function findOrReadLinkedBooking(
  services: LinkServices,
  link: LinkPlace,
  { signal, judgement }: SigningRead,
): Promise<LinkedBooking | undefined> {
  const linked = await findLinkedBooking(services, link);
  if (linked === undefined || linked.booking !== undefined) return linked;
  const { openedBookings } = services;
  const read = judgement === 'accepted' ? openedBookings.readNow : openedBookings.read;
  const limit = judgement === 'now' ? AbortSignal.any([signal, AbortSignal.timeout(maxGuestWaitMs)]) : signal;
  try {
    return (await withoutTurn(() => read(linked, limit))) ?? linked;
  } catch (error) {
    if (!isNotFound(error)) await queueRead(services.store, linked);
    if (judgement !== 'late') return linked;
    // The device sends it again.
    signal.throwIfAborted();
    throw isNotFound(error) ? notFound() : unavailable();
  }
}

/** How long what is done by a booking's links shares one read of its booking system. */
const sharedMs = 60_000;
const maxBookings = 10_000;

/** The outcome of the last read. */
interface LastRead {
  readonly at: number;
  /** Undefined if the booking was read. */
  readonly failure: BookingSystemError | undefined;
}

/** Reads bookings as links to them are opened, and signings arrive. */
export interface OpenedBookings {
  /**
   * The booking as it is stored, if the booking system was asked for it within the last minute: anyone may open a link,
   * and send signings, as often as they like. What the booking system announces meanwhile is stored, too. Undefined for a pool without a
   * setup.
   * @throws as the booking reader does; the same error for a minute
   */
  read(key: BookingKey, signal: AbortSignal): Promise<LinkedBooking | undefined>;
  /** As the booking system returns it now, for staff. @throws as the booking reader does */
  readNow(key: BookingKey, signal: AbortSignal): Promise<LinkedBooking | undefined>;
}
export const OpenedBookings: ServiceIdentifier<OpenedBookings> = Symbol('OpenedBookings');

/** @param now - milliseconds of a clock */
export function createOpenedBookings(services: ReaderServices, now: () => number = Date.now): OpenedBookings {
  const flights = createSingleFlight<LinkedBooking | undefined>();
  const lastReads = new Map<string, LastRead>();

  // The clock may be set back, and be behind that of the database or of another host.
  const isShared = (at: number) => Math.abs(now() - at) < sharedMs;

  function note(id: string, failure: BookingSystemError | undefined): void {
    lastReads.delete(id);
    lastReads.set(id, { at: now(), failure });
    const [oldest] = lastReads.keys();
    if (lastReads.size > maxBookings && oldest !== undefined) lastReads.delete(oldest);
  }

  async function readOnce(id: string, key: BookingKey, signal: AbortSignal) {
    const last = lastReads.get(id);
    const isRecent = last !== undefined && isShared(last.at);
    const stored = await findLinkedBooking(services, key);
    const storedAt = stored?.fetchedAt?.getTime() ?? 0;
    const isNews = last === undefined || storedAt > last.at;
    // By another host, or after an announcement.
    const isStoredNow = isNews && isShared(storedAt);
    if (stored?.booking !== undefined && (isStoredNow || (isRecent && last.failure === undefined)))
      return stored;
    if (isRecent && last.failure !== undefined) throw last.failure;
    try {
      const linked = await readBooking(services, key, signal);
      note(id, undefined);
      return linked;
    } catch (error) {
      // One that was held back has not reached the booking system; of one that was given up, nothing is known.
      if (isBookingSystemError(error) && !isHeldBack(error) && !signal.aborted) note(id, error);
      throw error;
    }
  }

  return {
    read(key, signal) {
      const id = JSON.stringify([key.pool, key.bookingSystem, key.bookingId]);
      return flights.run(id, signal, (flightSignal) => readOnce(id, key, flightSignal));
    },
    readNow: (key, signal) => readBooking(services, key, signal),
  };
}
