import type { SimulatedBooking } from './simulated-booking.ts';

/** The forms that Booking Details can be served in (contract 9). */
export type ServedForm = 'current' | 'legacy';

/** Writes a booking as Booking Details answers it. */
export function writeBooking(booking: SimulatedBooking, form: ServedForm): Record<string, unknown> {
  return form === 'current' ? { ...booking } : writeLegacy(booking);
}

// The legacy form has one time for the whole booking, so sessions at several times lose theirs here: from the
// first start to the last end, as an older system would say it.
function writeLegacy({ bookedSessions, guests, ...rest }: SimulatedBooking): Record<string, unknown> {
  return {
    ...rest,
    startsAt: bookedSessions.map(({ startsAt }) => startsAt).sort()[0],
    endsAt: bookedSessions
      .map(({ endsAt }) => endsAt)
      .sort()
      .at(-1),
    activities: bookedSessions.map(({ activityId, activityName }) => ({
      activity: activityName,
      activityId,
    })),
    guests: guests.map(({ id, ...guest }) => (id === undefined ? guest : { guestId: id, ...guest })),
  };
}
