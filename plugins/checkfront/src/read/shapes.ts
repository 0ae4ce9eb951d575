import {
  isJsonObject,
  type JsonObject,
  type ListedObject,
  objectOf,
  textOf,
} from '@waiver-service/plugin-kit';

/** A line of a booking. The fields of `value` have the same names in every shape. */
export interface CheckfrontLine extends ListedObject {
  /** `2`, or `2.1` for an add-on of line 2. */
  readonly lineId: string | undefined;
  readonly status: unknown;
}

/** Whether a line is an add-on of another one, as `2.1` is of `2`. */
export const isAddOn = ({ lineId }: CheckfrontLine): boolean => lineId?.includes('.') ?? false;

/** A booking's raw values, the same for all of Checkfront's shapes. */
export interface CheckfrontBooking {
  readonly code: unknown;
  /** The booking's other id, a number. */
  readonly number: unknown;
  readonly status: unknown;
  readonly contact: Readonly<Record<'name' | 'email' | 'phoneNumber', unknown>>;
  /** The complete booking: it may have times that its lines lack, and the account's custom fields. */
  readonly whole: JsonObject;
  readonly lines: readonly CheckfrontLine[];
}

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

/** The elements of one name: a list of several, a single element, or an empty one for none. */
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

/**
 * Reads the booking's code from the shape of the list, which has neither times nor a telephone number: the booking
 * itself is then requested by code. `undefined` for other shapes, and if the list lacks the booking.
 */
export function readIndexCode(body: unknown, bookingId: string): string | undefined {
  const entries = Object.entries(objectOf(objectOf(body)['booking/index']));
  const found = entries.find(([number, entry]) =>
    [number, objectOf(entry).booking_id, objectOf(entry).code].some((id) => textOf(id) === bookingId),
  );
  return textOf(objectOf(found?.[1]).code);
}
