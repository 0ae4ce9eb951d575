import { isJsonObject, objectOf, textOf } from '@waiver-service/plugin-kit';
import type { CheckfrontBooking } from './shape.ts';

/** The elements of one name: a list of several, a single one, or an empty element for none. */
function listOf(elements: unknown): readonly unknown[] {
  if (Array.isArray(elements)) return elements;
  const isEmpty = Object.keys(objectOf(elements)).length === 0;
  return isEmpty ? [] : [elements];
}

/**
 * Reads the shape of the webhook, which is converted XML: attributes are separate, a single item is an object and several
 * are a list, and an empty element is `{}`. `undefined` for other shapes.
 */
export function readWebhook(body: unknown): CheckfrontBooking | undefined {
  const { booking } = objectOf(body);
  if (!isJsonObject(booking) || (booking.order === undefined && booking.code === undefined)) return undefined;
  const { name, email, phone } = objectOf(booking.customer);
  const items = listOf(objectOf(objectOf(booking.order).items).item);
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
