import type { SigningDay, SigningWaiver } from '@waiver-service/forms';
import type { SignedWaiver } from '@waiver-service/store';
import type { BookingKey } from '@waiver-service/waivers';

/**
 * The waivers of a signing's guests, as they are stored.
 * @param validUntil null while they are not signed
 */
export const signedWaivers = (
  waivers: readonly SigningWaiver[],
  booking: BookingKey | undefined,
  { activities }: SigningDay,
  validUntil: string | null,
): SignedWaiver[] =>
  waivers.map(({ bookingGuestId, answers }) => ({
    bookingSystem: booking?.bookingSystem ?? null,
    bookingId: booking?.bookingId ?? null,
    bookingGuestId: bookingGuestId ?? null,
    activities,
    validUntil,
    answers: Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [
        name,
        typeof answer === 'object' ? [...answer] : answer,
      ]),
    ),
  }));
