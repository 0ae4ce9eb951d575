import { type Booking, isBookingSystemError } from '@waiver-service/core';
import type { BookingKey } from '@waiver-service/waivers';
import { isCancelled } from '../booking-reading/booking-days.ts';
import type { BookingReader } from '../booking-reading/booking-reader.ts';
import { heldBackFor } from '../booking-reading/read-breaker.ts';
import { chooseForm } from '../check-in/choose-form.ts';
import { type NamedForm, publishedForms } from '../check-in/published-forms.ts';
import { activitiesOf } from '../check-in/signing-day.ts';
import type { Store } from '../given.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { type Recipients, recipientsOf } from './recipients.ts';

export type InvitedServices = { readonly store: Store; readonly bookingReader: BookingReader };

/** Why nothing is sent about a booking. */
export type ClosedReason = 'gone' | 'cancelled' | 'no-form' | 'uninstalled';

/** A booking whose guests may be written to. */
export interface OpenBooking extends Recipients {
  readonly kind: 'open';
  /** Its own id. */
  readonly bookingId: string;
  readonly booking: Booking;
  /** The start of its first session. */
  readonly startsAt: Date;
  readonly form: NamedForm;
  readonly fetchedAt: Date | null;
}

/** The state of a booking, for its invitations. */
export type InvitedBooking =
  | OpenBooking
  | { readonly kind: 'closed'; readonly reason: ClosedReason; readonly fetchedAt: Date | null }
  /** It could not be read. */
  | { readonly kind: 'unread'; readonly waitMs: number };

export interface InvitedBookingRequest extends BookingKey {
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** How old the last answer about a booking may be. */
const freshMs = 15 * 60_000;
const unreadWaitMs = 5 * 60_000;

const isGone = (error: unknown) => isBookingSystemError(error) && error.code === 'booking_not_found';

/** Uses the stored booking if it is recent, otherwise reads it now. */
async function readFresh(
  { store, bookingReader }: InvitedServices,
  { pool, bookingSystem, bookingId, now, signal }: InvitedBookingRequest,
): Promise<InvitedBooking | { readonly kind: 'read' }> {
  const stored = await store.bookings.get(pool, bookingSystem, bookingId);
  if (stored !== undefined && Math.abs(now.getTime() - stored.fetchedAt.getTime()) < freshMs)
    return { kind: 'read' };
  try {
    await bookingReader.readNow({ pool, bookingSystem, bookingId, signal });
    return { kind: 'read' };
  } catch (error) {
    signal.throwIfAborted();
    const fetchedAt = stored?.fetchedAt ?? null;
    if (isGone(error)) return { kind: 'closed', reason: 'gone', fetchedAt };
    if (error instanceof HttpProblem && error.status === 424)
      return { kind: 'closed', reason: 'uninstalled', fetchedAt };
    if (stored !== undefined) return { kind: 'read' };
    return { kind: 'unread', waitMs: Math.ceil(heldBackFor(error) ?? unreadWaitMs) };
  }
}

/** Reads a booking that is fresh enough, and its recipients. */
export async function readInvited(
  services: InvitedServices,
  request: InvitedBookingRequest,
): Promise<InvitedBooking> {
  const { store } = services;
  const { pool, bookingSystem } = request;
  const read = await readFresh(services, request);
  if (read.kind !== 'read') return read;
  const stored = await store.bookings.get(pool, bookingSystem, request.bookingId);
  if (stored === undefined) return { kind: 'unread', waitMs: unreadWaitMs };
  const { fetchedAt, bookingId } = stored;
  const { booking } = stored.fetched;
  const closed = (reason: ClosedReason) => ({ kind: 'closed', reason, fetchedAt }) as const;
  const starts = booking.bookedSessions.map(({ startsAt }) => Date.parse(startsAt));
  if (isCancelled(booking) || starts.length === 0) return closed('cancelled');
  const form = chooseForm(await publishedForms(store.forms, pool), activitiesOf(booking.bookedSessions));
  if (form === undefined) return closed('no-form');
  const key = { pool, bookingSystem, bookingId };
  const [waivers, erased, setup] = await Promise.all([
    store.waivers.forBooking(key),
    store.invitations.erasedOf(key),
    store.pools.setup(pool),
  ]);
  if (setup === undefined) return closed('uninstalled');
  const { timeZone } = setup;
  return {
    kind: 'open',
    bookingId,
    booking,
    startsAt: new Date(Math.min(...starts)),
    form,
    fetchedAt,
    ...recipientsOf({ booking, waivers, timeZone, isErased: erased.isErased }),
  };
}
