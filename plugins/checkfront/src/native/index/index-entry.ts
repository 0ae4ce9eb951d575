import { objectOf, textOf } from '@waiver-service/plugin-kit';

/**
 * The code of a booking that is answered in the shape of the list, by its number and without times or a telephone:
 * with it the booking itself can be asked for. `undefined` for other shapes and where the list has another booking.
 */
export function readIndexCode(body: unknown, bookingId: string): string | undefined {
  const entries = Object.entries(objectOf(objectOf(body)['booking/index']));
  const found = entries.find(([number, entry]) =>
    [number, objectOf(entry).booking_id, objectOf(entry).code].some((id) => textOf(id) === bookingId),
  );
  return textOf(objectOf(found?.[1]).code);
}
