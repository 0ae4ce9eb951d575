interface ListedBooking {
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** The value by which a booking is chosen. */
export const bookingChoice = ({ bookingSystem, bookingId }: ListedBooking): string =>
  JSON.stringify([bookingSystem, bookingId]);

/**
 * The choice, and its booking, among bookings that come and go while it is made: one that has gone is no longer chosen.
 * Besides a booking, the choice can be `other`, or empty.
 */
export function chosenBooking<Booking extends ListedBooking>(
  bookings: readonly Booking[],
  choice: string,
): { readonly choice: string; readonly booking: Booking | undefined } {
  const booking = bookings.find((each) => bookingChoice(each) === choice);
  if (booking !== undefined || choice === 'other') return { choice, booking };
  return { choice: bookings.length > 0 ? '' : 'other', booking };
}

/** A guest whom a waiver can be attached to. */
export interface FreeGuest {
  readonly id: string;
  readonly name: string | undefined;
}

/** A waiver to attach. */
export interface AttachedWaiver {
  readonly id: string;
  readonly name: string;
}

/** By the ids of waivers: a guest's id, `none` of the named guests, or `leave` it where it is. */
export type AttachChoices = Readonly<Record<string, GuestChoice>>;
export type GuestChoice = `guest:${string}` | 'none' | 'leave';

const plain = (name: string | undefined) => name?.trim().toLowerCase();

/** The choices to begin with: guests of the same names, each once. */
export function proposedChoices(
  waivers: readonly AttachedWaiver[],
  guests: readonly FreeGuest[],
): AttachChoices {
  const taken = new Set<string>();
  return Object.fromEntries(
    waivers.map(({ id, name }): [string, GuestChoice] => {
      const guest = guests.find((each) => !taken.has(each.id) && plain(each.name) === plain(name));
      if (guest === undefined) return [id, 'none'];
      taken.add(guest.id);
      return [id, `guest:${guest.id}`];
    }),
  );
}

/** The waivers that are attached, the first one before the others. */
export function chosenWaivers(
  waivers: readonly AttachedWaiver[],
  choices: AttachChoices,
): readonly { readonly id: string; readonly bookingGuestId: string | null }[] {
  return waivers.flatMap(({ id }) => {
    const choice = choices[id] ?? 'none';
    if (choice === 'leave') return [];
    return [{ id, bookingGuestId: choice === 'none' ? null : choice.slice('guest:'.length) }];
  });
}
