import type { SimulatedBooking } from './simulated-booking.ts';

/** The forms of Booking Details (contract 9). */
export type ServedForm = 'current' | 'legacy';

/** Serializes a booking for Booking Details. */
export function writeBooking(booking: SimulatedBooking, form: ServedForm): Record<string, unknown> {
  return form === 'current' ? { ...booking } : writeLegacy(booking);
}

// The legacy form has one pair of times for the whole booking: the first start and the last end.
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
