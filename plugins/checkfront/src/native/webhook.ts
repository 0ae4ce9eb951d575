import { isJsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import type { CheckfrontBooking } from './shape.ts';

/**
 * Reads the shape of the webhook, which is converted XML: attributes are separate, a single item is an object and several
 * are a list, and an empty element is `{}`. `undefined` for other shapes.
 */
export function readWebhook(body: unknown): CheckfrontBooking | undefined {
  const { booking } = objectOf(body);
  if (!isJsonObject(booking) || (booking.order === undefined && booking.code === undefined)) return undefined;
  const { name, email, phone } = objectOf(booking.customer);
  const { item } = objectOf(objectOf(booking.order).items);
  const isEmpty = isJsonObject(item) && Object.keys(item).length === 0;
  const items: unknown[] = Array.isArray(item) ? item : isJsonObject(item) && !isEmpty ? [item] : [];
  return {
    code: booking.code,
    number: objectOf(booking['@attributes']).booking_id,
    status: booking.status,
    contact: { name, email, phoneNumber: phone },
    whole: booking,
    lines: items.map((line, index) => {
      const value = objectOf(line);
      const lineId = textOf(objectOf(value['@attributes']).line_id);
      return { path: `booking.order.items.item[${index}]`, value, lineId, status: value.status };
    }),
  };
}
