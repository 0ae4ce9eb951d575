import { asciiAddress, mailAddressSchema } from '@waiver-service/api';
import { type Booking, type Guest, isBookingSystemError } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import type { BookingReader } from '@waiver-service/integration';
import {
  activitiesOf,
  heldBackFor,
  isCancelled,
  matchWaivers,
  type SigningWaiver,
} from '@waiver-service/integration';
import { chooseForm, type NamedForm, publishedForms } from '@waiver-service/signing';
import type { BookingKey } from '@waiver-service/waivers';
import type { InvitationStore } from './data/invitation-store.ts';

/** A recipient of messages about a booking. */
export interface Recipient {
  readonly email: string;
  readonly name: string | undefined;
  /** As in the booking: a BCP 47 tag, if the booking system sends one. */
  readonly language: string | undefined;
  /** The guest whose own link is sent; null: the link of the whole booking. */
  readonly bookingGuestId: string | null;
  /** The number of guests who are asked to sign. */
  readonly guests: number;
}

/** The recipients, and how many guests cannot be reached. */
export interface Recipients {
  readonly recipients: readonly Recipient[];
  readonly unreachable: number;
}

interface Parts {
  readonly booking: Booking;
  readonly waivers: readonly SigningWaiver[];
  /** Of the pool: waivers expire by its days. */
  readonly timeZone: string;
  readonly isErased: (guest: {
    readonly email?: string | undefined;
    readonly id?: string | undefined;
  }) => boolean;
}

const addressOf = ({ email }: { readonly email?: unknown }): string | undefined =>
  mailAddressSchema.safeParse(typeof email === 'string' ? email.trim() : undefined).data;

/** Equal for two ways of writing an address. */
export const sameAddress = (address: string): string => asciiAddress(address).toLowerCase();

/** The language of a guest or a contact: plugins keep the vendor's name for the field. */
function languageOf({ language, locale, locales }: Readonly<Record<string, unknown>>): string | undefined {
  const listed: unknown = Array.isArray(locales) ? locales[0] : undefined;
  return [language, locale, listed].find((each): each is string => typeof each === 'string' && each !== '');
}

const nameOf = (name: unknown): string | undefined =>
  typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;

/**
 * Who is asked to sign. A guest with an address gets their own link; the booker gets the booking's link for guests
 * without an address, and for those whom the booking counts but does not name. An address shared by several guests gets
 * the booking's link. Each address occurs once, and only while one of its guests has not signed.
 */
export function recipientsOf({ booking, waivers, timeZone, isErased }: Parts): Recipients {
  const { guests, contact, pax } = booking;
  const matched = matchWaivers(booking, waivers, timeZone);
  const isOpen = (guest: Guest, index: number) => matched.guests[index]?.signed !== true && !isErased(guest);
  const open = guests.filter(isOpen);
  const byAddress = Map.groupBy(open, (guest) => {
    const address = addressOf(guest);
    return address === undefined ? undefined : sameAddress(address);
  });
  const named = matched.guests.filter(({ signed }) => signed).length;
  const unnamed = Math.max(0, pax - guests.length - Math.max(0, matched.signed - named));
  const forBooker = (byAddress.get(undefined)?.length ?? 0) + unnamed;
  byAddress.delete(undefined);

  const booker = isErased(contact) ? undefined : addressOf(contact);
  const recipients: Recipient[] = [];
  for (const [key, ofAddress] of byAddress) {
    const [first] = ofAddress;
    const email = first && addressOf(first);
    if (first === undefined || email === undefined) continue;
    const isBooker = booker !== undefined && sameAddress(booker) === key;
    const extra = isBooker ? forBooker : 0;
    const isAlone = ofAddress.length === 1 && extra === 0;
    recipients.push({
      email,
      name: isAlone ? nameOf(first.name) : nameOf(isBooker ? contact.name : first.name),
      language: languageOf(first) ?? languageOf(contact) ?? languageOf(booking),
      bookingGuestId: isAlone ? (first.id ?? null) : null,
      guests: ofAddress.length + extra,
    });
  }
  if (booker === undefined) return { recipients, unreachable: forBooker };
  if (forBooker > 0 && !byAddress.has(sameAddress(booker))) {
    recipients.push({
      email: booker,
      name: nameOf(contact.name),
      language: languageOf(contact) ?? languageOf(booking),
      bookingGuestId: null,
      guests: forBooker,
    });
  }
  return { recipients, unreachable: 0 };
}

/** Whether a booking has an address, of a guest or of the booker. */
export function hasAddress({ guests, contact }: Booking, email: string): boolean {
  return [...guests, contact].some((each) => {
    const address = addressOf(each);
    return address !== undefined && sameAddress(address) === sameAddress(email);
  });
}

export type InvitedServices = { readonly store: InvitationStore; readonly bookingReader: BookingReader };

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
type InvitedBooking =
  | OpenBooking
  | { readonly kind: 'closed'; readonly reason: ClosedReason; readonly fetchedAt: Date | null }
  /** It could not be read. */
  | { readonly kind: 'unread'; readonly waitMs: number };

interface InvitedBookingRequest extends BookingKey {
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
