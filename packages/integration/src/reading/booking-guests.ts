import { type Booking, type Guest, nameKey, type Warning } from '@waiver-service/core';
import type { BookingWaiver } from '@waiver-service/store';
import { answersBytes, isMaskedEmail, type JsonValue, maxAnswersBytes } from '@waiver-service/waivers';
import { answerOf } from '../waivers/answer-of.ts';
import { lastDayOf } from './booking-days.ts';

/** The properties that are pre-filled for every guest if available (contract 1, 2.4). */
const standardPrefillProperties = ['name', 'email', 'phoneNumber'] as const;

/** Values by property name, as the booking system returned them. */
type Prefill = Readonly<Record<string, unknown>>;

/** A guest of a booking, and the pre-fill of the guest's waiver. */
interface PrefilledGuest {
  /** The booking system's guest id, if there is one. */
  readonly bookingGuestId?: string;
  readonly prefill: Prefill;
}

interface PrefilledBooking {
  readonly guests: readonly PrefilledGuest[];
  /** The contact, if the booking names no individual guests. Not a guest. */
  readonly booker?: Prefill;
  /** One for each address that is not pre-filled because it is an agency's, and one for values that no waiver takes. */
  readonly warnings: readonly Warning[];
}

// Fields that describe the booking itself, so they never extend a guest. Includes the legacy elements (contract 9) and
// our own interpretation of `status`.
const bookingOnlyFields: ReadonlySet<string> = new Set([
  'id',
  'status',
  'statusGroup',
  'contact',
  'pax',
  'guests',
  'bookedSessions',
  'startsAt',
  'endsAt',
  'activities',
  'guestId',
]);

const isStandard = (name: string) => standardPrefillProperties.some((standard) => standard === name);

// The contract's three properties are strings; `null` counts as absent, as everywhere in partners' responses.
function availableValue(source: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!Object.hasOwn(source, name)) return undefined;
  const value = source[name];
  if (value === null || value === undefined) return undefined;
  if (isStandard(name) && typeof value !== 'string') return undefined;
  return name === 'email' && typeof value === 'string' && isMaskedEmail(value) ? undefined : value;
}

function maskedEmailWarnings({ contact, guests }: Booking): Warning[] {
  const addresses = [
    { path: 'contact.email', email: contact.email },
    ...guests.map(({ email }, index) => ({ path: `guests[${index}].email`, email })),
  ];
  return addresses
    .filter(({ email }) => typeof email === 'string' && isMaskedEmail(email))
    .map(({ path }) => ({
      code: 'masked_email',
      path,
      message:
        "the e-mail address is an agency's alias for this booking, so the waiver is not pre-filled with it",
    }));
}

// Half of what a waiver's answers may have: the guest adds theirs.
const maxPrefillBytes = maxAnswersBytes / 2;

/** Selects values that a waiver can have as answers, and names the others. */
function select(
  names: Iterable<string>,
  valueFor: (name: string) => unknown,
  refuse: (name: string) => void,
): Prefill {
  const prefill: Record<string, JsonValue> = {};
  let bytes = 0;
  for (const name of names) {
    const value = valueFor(name);
    if (value === undefined) continue;
    const answer = answerOf(name, value);
    bytes += answer === undefined ? 0 : answersBytes({ [name]: answer });
    if (answer === undefined || bytes > maxPrefillBytes) refuse(name);
    else prefill[name] = answer;
  }
  return prefill;
}

/** One warning for all values that are not pre-filled. */
const refusedWarnings = (paths: readonly string[]): readonly Warning[] =>
  paths[0] === undefined
    ? []
    : [
        {
          code: 'value_ignored',
          path: paths[0],
          message: `${paths.length === 1 ? 'a value' : `${paths.length} values`} cannot be an answer of a waiver, and the waiver is not pre-filled with it`,
        },
      ];

/**
 * The initial content of each guest's waiver (contract 1, 2.1, 2.4).
 *
 * `name`, `email` and `phoneNumber` are pre-filled where available, any other property only where
 * `prefillProperties` (the pool's) lists it. Booking-level properties extend each guest's; the guest's own value
 * wins. A booking without individual guests gives no guests and offers its contact as `booker`.
 */
export function prefillGuests(booking: Booking, prefillProperties: readonly string[]): PrefilledBooking {
  const names = new Set<string>([...standardPrefillProperties, ...prefillProperties]);
  const refused: string[] = [];
  const guests = booking.guests.map((guest, index): PrefilledGuest => {
    const prefill = select(
      names,
      (name) =>
        availableValue(guest, name) ??
        (bookingOnlyFields.has(name) ? undefined : availableValue(booking, name)),
      (name) => refused.push(`guests[${index}].${name}`),
    );
    return { bookingGuestId: guest.id, prefill };
  });
  const booker =
    guests.length > 0
      ? undefined
      : select(
          standardPrefillProperties,
          (name) => availableValue(booking.contact, name),
          (name) => refused.push(`contact.${name}`),
        );
  const warnings = [...maskedEmailWarnings(booking), ...refusedWarnings(refused)];
  return { guests, warnings, booker };
}

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
      .map(({ id: bookingGuestId, name }) => ({ bookingGuestId, name })),
  };
}
