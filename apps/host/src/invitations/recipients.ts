import { asciiAddress, mailAddressSchema } from '@waiver-service/api';
import type { Booking, Guest } from '@waiver-service/core';
import { matchWaivers, type SigningWaiver } from '../booking-reading/booking-guests.ts';

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

const sameAddress = (address: string) => asciiAddress(address).toLowerCase();

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
