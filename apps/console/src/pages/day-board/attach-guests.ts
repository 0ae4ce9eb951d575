import { nameKey } from '@waiver-service/forms';

interface ListedBooking {
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** A booking's value in the choice field. */
export const bookingChoice = ({ bookingSystem, bookingId }: ListedBooking): string =>
  JSON.stringify([bookingSystem, bookingId]);

/**
 * The current choice and its booking. The list may change while the dialog is open: a booking that has disappeared is
 * deselected. Besides a booking, the choice can be `other` or empty.
 */
export function chosenBooking<Booking extends ListedBooking>(
  bookings: readonly Booking[],
  choice: string,
): { readonly choice: string; readonly booking: Booking | undefined } {
  const booking = bookings.find((each) => bookingChoice(each) === choice);
  if (booking !== undefined || choice === 'other') return { choice, booking };
  return { choice: bookings.length > 0 ? '' : 'other', booking };
}

/** A guest to whom a waiver can be attached. */
export interface FreeGuest {
  readonly id: string;
  readonly name: string | undefined;
}

export interface AttachedWaiver {
  readonly id: string;
  readonly name: string;
}

/** By waiver id: a guest, `none` (attach without a guest), or `leave` (do not attach). */
type AttachChoices = Readonly<Record<string, GuestChoice>>;
export type GuestChoice = `guest:${string}` | 'none' | 'leave';

/** The initial choices: the guest with the same name, unless another guest or waiver has that name, too. */
export function proposedChoices(
  waivers: readonly AttachedWaiver[],
  guests: readonly FreeGuest[],
): AttachChoices {
  const named = <Person extends { readonly name: string | undefined }>(
    people: readonly Person[],
    key: string,
  ) => people.filter(({ name }) => key !== '' && nameKey(name) === key);
  return Object.fromEntries(
    waivers.map(({ id, name }): [string, GuestChoice] => {
      const key = nameKey(name);
      const [guest, ...others] = named(guests, key);
      const isClear = others.length === 0 && named(waivers, key).length === 1;
      return [id, guest !== undefined && isClear ? `guest:${guest.id}` : 'none'];
    }),
  );
}

/** The waivers to attach, in the given order. */
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
