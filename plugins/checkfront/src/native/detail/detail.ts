import { isJsonObject, objectOf } from '@waiver-service/plugin-kit';
import type { CheckfrontBooking } from '../shape.ts';

/** A booking in the shape of `booking/{code}`: items by line id, `id` is the code. `undefined` for other shapes. */
export function readDetail(body: unknown): CheckfrontBooking | undefined {
  const { booking } = objectOf(body);
  if (!isJsonObject(booking) || booking.order !== undefined) return undefined;
  const { id, status_id: status, customer_name, customer_email, customer_phone, items } = booking;
  const lines = Array.isArray(items) ? { ...items } : objectOf(items);
  return {
    code: id,
    status,
    contact: { name: customer_name, email: customer_email, phoneNumber: customer_phone },
    items: Object.entries(lines).map(([line, value]) => ({
      path: `booking.items.${line}`,
      value: objectOf(value),
    })),
  };
}
