import { nameKey } from '@waiver-service/core';
import { lastVisitOf, type VisitSession } from './last-visit.ts';
import type { Draft } from './plan.ts';
import type { WaiverRecord } from './waiver.ts';

/**
 * Domains of the addresses that an agency creates for a single booking and forwards from for a limited time. They are
 * not a guest's own: mail to them ends at the agency, and two bookings of one guest have two of them.
 *
 * Sources, of November 2026: Booking.com's partner help ("Why does the guest's email address end with
 * '@guest.booking.com'?"); JTB Bókun's help on contacting Viator's travelers (`…@expmessaging.tripadvisor.com`, until
 * 30 days after the visit); OwnerRez's help on proxy addresses (Airbnb, until September 2023); bookings of Expedia and
 * of GetYourGuide (`customer-…@reply.getyourguide.com`) in public importers of reservation mails.
 */
const maskingDomains: ReadonlySet<string> = new Set([
  'guest.booking.com',
  'm.expediapartnercentral.com',
  'reply.getyourguide.com',
  'expmessaging.tripadvisor.com',
  'guest.airbnb.com',
]);

/** Whether an e-mail address is an agency's alias for a booking, not the guest's own. */
export function isMaskedEmail(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).trim();
  return maskingDomains.has(domain.toLowerCase());
}

/*
 * A booking changes after its guests have signed: it is moved in time, or its booking system renumbers the guests. Its
 * waivers follow it.
 *
 *   last visit   the earliest session as it is now, unless the caller had set it
 *   guest        by id; if no guest has that id any more, the one guest with the same name and no other e-mail address, if
 *                no other guest could be meant; otherwise the waiver stays as it is and is named as unmatched, for a person
 *
 * A booking system may renumber the guests whenever it is written to, and announce that as a change: each following
 * would cause the next one. A waiver that has followed often within a day stays as it is.
 */

/** How often a waiver may follow its booking within a day. */
export const maxFollowed = 20;

/** A guest of a booking (contract 2.4). */
export interface BookingGuest {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** A booking as last read. */
export interface FollowedBooking {
  readonly sessions: readonly VisitSession[];
  readonly guests: readonly BookingGuest[];
}

/** The fields of a booking's waiver that following depends on. Not voided. */
export interface FollowingWaiver
  extends Pick<
    WaiverRecord,
    'id' | 'bookingGuestId' | 'activities' | 'lastVisit' | 'lastVisitSource' | 'createdAt'
  > {
  /** The answer `name`. */
  readonly name: string | null;
  /** The answer `email`. */
  readonly email: string | null;
  /** How often it has followed its booking in the last 24 hours. */
  readonly followed: number;
}

/** The change by which a waiver follows its booking. */
export interface FollowingChange extends Pick<WaiverRecord, 'id' | 'bookingGuestId'> {
  readonly needsSessions: boolean;
}

/** How the waivers of a booking follow it. */
export interface FollowedWaivers {
  /** One for each waiver that changes. */
  readonly changes: readonly FollowingChange[];
  /** The ids of the waivers whose guest is no longer in the booking, and cannot be matched to the others. */
  readonly unmatched: readonly string[];
  /** Whether a waiver did not follow because it has done so too often: it will follow the booking later. */
  readonly isPostponed: boolean;
}

/** Undefined for an agency's alias, which does not identify the guest. */
const emailKey = (email: string | null | undefined): string | undefined =>
  !email || isMaskedEmail(email) ? undefined : email.trim().toLowerCase() || undefined;

function isSamePerson(waiver: FollowingWaiver, guest: BookingGuest): boolean {
  const name = nameKey(waiver.name);
  if (name === '' || name !== nameKey(guest.name)) return false;
  const [email, otherEmail] = [emailKey(waiver.email), emailKey(guest.email)];
  return email === undefined || otherEmail === undefined || email === otherEmail;
}

/** The guests who may have signed a waiver, likeliest first: same name, same e-mail address, others. */
export function proposeGuests<Guest extends BookingGuest>(
  waiver: Pick<FollowingWaiver, 'name' | 'email'>,
  guests: readonly Guest[],
): Guest[] {
  const name = nameKey(waiver.name);
  const email = emailKey(waiver.email);
  const likelihood = (guest: Guest) =>
    (name !== '' && name === nameKey(guest.name) ? 2 : 0) +
    (email !== undefined && email === emailKey(guest.email) ? 1 : 0);
  return guests.toSorted((one, other) => likelihood(other) - likelihood(one));
}

/** The new guest ids of the waivers whose guest is gone; undefined if ambiguous. */
function findGuests(
  waivers: readonly FollowingWaiver[],
  guests: readonly BookingGuest[],
): Map<string, string | undefined> {
  const ids = new Set(guests.flatMap(({ id }) => id ?? []));
  // A booking without guest ids does not show who has left it.
  if (ids.size === 0) return new Map();
  const lost = waivers.filter(({ bookingGuestId }) => bookingGuestId !== null && !ids.has(bookingGuestId));
  const named = new Set(waivers.map(({ bookingGuestId }) => bookingGuestId));
  const free = guests.filter(({ id }) => id !== undefined && !named.has(id));
  return new Map(
    lost.map((waiver) => {
      const meant = free.filter((guest) => isSamePerson(waiver, guest));
      const [guest] = meant;
      const isClear =
        guest !== undefined &&
        meant.length === 1 &&
        lost.filter((other) => isSamePerson(other, guest)).length === 1;
      return [waiver.id, isClear ? guest.id : undefined];
    }),
  );
}

function movesVisit(waiver: FollowingWaiver, sessions: readonly VisitSession[]): boolean {
  if (waiver.lastVisitSource === 'given') return false;
  const { lastVisit, lastVisitSource } = lastVisitOf(sessions, waiver.activities, waiver.createdAt);
  // A cancelled booking may have no sessions left: the known one is better than the time of creation.
  return lastVisitSource === 'session' && lastVisit.getTime() !== waiver.lastVisit.getTime();
}

/**
 * Works out the changes by which a booking's waivers follow it.
 *
 * @param waivers - all that are not voided, under any id of the booking
 */
export function followBooking(
  waivers: readonly FollowingWaiver[],
  { sessions, guests }: FollowedBooking,
): FollowedWaivers {
  const found = findGuests(waivers, guests);
  const wanted = waivers.flatMap((waiver): FollowingChange[] => {
    const { id } = waiver;
    const bookingGuestId = found.get(id) ?? waiver.bookingGuestId;
    const needsSessions = movesVisit(waiver, sessions);
    return bookingGuestId === waiver.bookingGuestId && !needsSessions
      ? []
      : [{ id, bookingGuestId, needsSessions }];
  });
  const tired = new Set(waivers.filter(({ followed }) => followed >= maxFollowed).map(({ id }) => id));
  const changes = wanted.filter(({ id }) => !tired.has(id));
  const unmatched = [...found].flatMap(([id, guestId]) => (guestId === undefined || tired.has(id) ? id : []));
  return { changes, unmatched, isPostponed: changes.length < wanted.length };
}

/** Drafts such a change. The guest id that the waiver leaves is gone, so nothing is taken back. */
export const draftFollowing = (
  former: WaiverRecord,
  { bookingGuestId, needsSessions }: FollowingChange,
): Draft => ({ former, changed: { ...former, bookingGuestId }, needsSessions, missing: 'guest' });
