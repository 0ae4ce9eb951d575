import { objectOf, textOf } from '@waiver-service/plugin-kit';

/**
 * Reads the booking's code from the shape of the list, which has neither times nor a telephone: the code serves to request
 * the booking itself. `undefined` for other shapes, and if the list does not contain the booking.
 */
export function readIndexCode(body: unknown, bookingId: string): string | undefined {
  const entries = Object.entries(objectOf(objectOf(body)['booking/index']));
  const found = entries.find(([number, entry]) =>
    [number, objectOf(entry).booking_id, objectOf(entry).code].some((id) => textOf(id) === bookingId),
  );
  return textOf(objectOf(found?.[1]).code);
}
