import { type Booking, type Guest, nameKey } from '@waiver-service/core';
import type { BookingWaiver } from '@waiver-service/store';
import { lastDayOf } from './booking-days.ts';

/** The relevant fields of a waiver that is not voided. */
export type SigningWaiver = Pick<
  BookingWaiver,
  'id' | 'bookingGuestId' | 'currentPage' | 'validUntil' | 'name'
>;

/** The parts of a booking that determine who has signed. */
export type SignedBooking = Pick<Booking, 'guests' | 'bookedSessions'>;

/** The guests of a booking who have signed. */
export interface SignedWaivers {
  /** The number of guests who have signed: one per guest id, and one per record without a guest id. */
  readonly signed: number;
  /** In the order of the booking's guests. */
  readonly guests: readonly { readonly waiverId?: string; readonly signed: boolean }[];
  /** The booking's guests who have not signed. */
  readonly missing: readonly { readonly bookingGuestId?: string; readonly name?: string }[];
}

const isSigned = (waiver: SigningWaiver) => waiver.currentPage === null;

/** The waivers that do not expire before a booking's last session; all if its sessions are unknown. */
export function validWaivers<Waiver extends Pick<SigningWaiver, 'validUntil'>>(
  booking: Pick<SignedBooking, 'bookedSessions'> | undefined,
  waivers: readonly Waiver[],
  timeZone: string,
): readonly Waiver[] {
  // Most never expire, and need no day.
  if (booking === undefined || waivers.every(({ validUntil }) => validUntil === null)) return waivers;
  const lastDay = lastDayOf(booking.bookedSessions, timeZone);
  if (lastDay === undefined) return waivers;
  return waivers.filter(({ validUntil }) => validUntil === null || validUntil >= lastDay);
}

/**
 * Matches the waivers of a booking with its guests. A waiver is signed if it is not voided, `currentPage` is null, and
 * it does not expire before the last session, by days in the pool's time zone. A guest's waiver is the record with the
 * guest's id; a guest without an id is matched by name, one record per guest, among those that name no guest of the
 * booking: without an id, or with one that the booking gives to several guests (`guest_id_repeated`). `waiverId` is a signed record's if there
 * is one, otherwise an unfinished one's.
 */
export function matchWaivers(
  booking: SignedBooking | undefined,
  waivers: readonly SigningWaiver[],
  timeZone: string,
): SignedWaivers {
  const guests = booking?.guests ?? [];
  const valid = validWaivers(booking, waivers, timeZone);
  const signedFirst = valid.toSorted((a, b) => Number(isSigned(b)) - Number(isSigned(a)));
  const taken = new Set<string>();
  const known = new Set(guests.flatMap(({ id }) => id ?? []));
  const namesGuest = ({ bookingGuestId }: SigningWaiver) =>
    bookingGuestId !== null && known.has(bookingGuestId);
  const waiverOf = (guest: Guest): SigningWaiver | undefined => {
    if (guest.id !== undefined) return signedFirst.find((waiver) => waiver.bookingGuestId === guest.id);
    const name = nameKey(guest.name);
    if (name === '') return undefined;
    const found = signedFirst.find(
      (waiver) => !namesGuest(waiver) && !taken.has(waiver.id) && nameKey(waiver.name) === name,
    );
    if (found) taken.add(found.id);
    return found;
  };
  const matched = guests.map((guest) => {
    const waiver = waiverOf(guest);
    return waiver ? { waiverId: waiver.id, signed: isSigned(waiver) } : { signed: false };
  });
  const signedRecords = valid.filter(isSigned);
  // By name, too: the id may have been that of several guests.
  const signedGuests = new Set(
    signedRecords.flatMap(({ bookingGuestId: id, name }) =>
      id === null ? [] : JSON.stringify(known.has(id) || guests.length === 0 ? [id] : [id, nameKey(name)]),
    ),
  );
  return {
    signed: signedGuests.size + signedRecords.filter((waiver) => waiver.bookingGuestId === null).length,
    guests: matched,
    missing: guests
      .filter((_, index) => !matched[index]?.signed)
      .map((guest) => ({
        ...(guest.id === undefined ? {} : { bookingGuestId: guest.id }),
        ...(guest.name === undefined ? {} : { name: guest.name }),
      })),
  };
}
