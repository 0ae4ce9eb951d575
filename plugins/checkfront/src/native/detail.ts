import { isJsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import type { CheckfrontBooking } from './shape.ts';

/** Reads the shape of `booking/{code}`: lines by id, `id` is the code. `undefined` for other shapes. */
export function readDetail(body: unknown): CheckfrontBooking | undefined {
  const { booking } = objectOf(body);
  if (!isJsonObject(booking) || booking.order !== undefined) return undefined;
  const { id, booking_id, status_id, customer_name, customer_email, customer_phone, items } = booking;
  const isList = Array.isArray(items);
  const lines = isList ? { ...items } : objectOf(items);
  return {
    code: id,
    number: booking_id,
    status: status_id,
    contact: { name: customer_name, email: customer_email, phoneNumber: customer_phone },
    whole: booking,
    lines: Object.entries(lines).map(([key, line]) => {
      const value = objectOf(line);
      const lineId = textOf(value.line_id) ?? (isList ? undefined : key);
      return { path: `booking.items.${key}`, value, lineId, status: value.status_id ?? value.status };
    }),
  };
}
