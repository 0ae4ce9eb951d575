import {
  isJsonObject,
  type JsonObject,
  type ListedObject,
  objectOf,
  type Reading,
  textOf,
} from '@waiver-service/plugin-kit';

/** An integer, given as a number or a text; `undefined` for anything else. */
export function countOf(value: unknown): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

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

/** The number of people of a line. */
export interface LinePeople {
  readonly count: number;
  readonly byParameter: ReadonlyMap<string, number>;
}

const usualNames = new Set(
  [
    'adult',
    'child',
    'children',
    'kid',
    'infant',
    'baby',
    'babies',
    'toddler',
    'youth',
    'teen',
    'teenager',
    'junior',
    'senior',
    'student',
    'concession',
    'guest',
    'person',
    'people',
    'pax',
    'participant',
    'passenger',
    'traveler',
    'traveller',
    'visitor',
    'attendee',
    'player',
    'rider',
    'diver',
    'snorkeler',
    'snorkeller',
    'paddler',
    'climber',
    'swimmer',
    'skier',
  ].flatMap((name) => [name, `${name}s`]),
);

// Matches `adults`, `Adults (18+)` and `child512`, but not `guesttowels`.
const isUsualName = (name: string | undefined) =>
  name !== undefined && usualNames.has(name.toLowerCase().replace(/[^\p{L}]/gu, ''));

const quantityOf = (parameter: unknown) => countOf(parameter) ?? countOf(objectOf(parameter).qty) ?? 0;

type Counts = readonly (readonly [id: string, count: number])[];

const sumOf = (parameters: Counts) => parameters.reduce((sum, [, count]) => sum + count, 0);

/** The parameters of a line, with quantities: those that count people, and the others. */
function parametersOf(
  { value }: CheckfrontLine,
  guestParameters: readonly string[] | undefined,
): { readonly guests: Counts; readonly others: Counts } {
  const isGuest = (id: string, parameter: unknown) =>
    guestParameters?.includes(id) ?? (isUsualName(id) || isUsualName(textOf(objectOf(parameter).lbl)));
  const guests: [id: string, count: number][] = [];
  const others: [id: string, count: number][] = [];
  for (const [id, parameter] of Object.entries(objectOf(value.param))) {
    const counted = isGuest(id, parameter) ? guests : others;
    counted.push([id, quantityOf(parameter)]);
  }
  return { guests, others };
}

/** Whether the parameters of a line count at least one person. */
export const hasPeople = (line: CheckfrontLine, guestParameters: readonly string[] | undefined): boolean =>
  sumOf(parametersOf(line, guestParameters).guests) > 0;

function warnOfOthers(reading: Reading, path: string, others: Counts): void {
  const counted = others.filter(([, count]) => count > 0).map(([id, count]) => `${id} (${count})`);
  if (counted.length === 0) return;
  const message = `${path} has parameters that were not counted as people: ${counted.join(', ')}; if any are, name all that are in guestParameters`;
  reading.warn('count_disagrees', path, message);
}

function warnOfQuantity(reading: Reading, path: string, quantity: number | undefined): void {
  const taken =
    quantity === undefined
      ? 'no qty either: it was counted as one'
      : `its qty of ${quantity}, which may count things, was taken`;
  const message = `${path} has no parameter that counts people, and ${taken}; name such parameters in guestParameters`;
  reading.warn('count_disagrees', path, message);
}

/**
 * Counts the people of a line. `qty` counts things (a boat for eight has a `qty` of 1), so the parameters are summed:
 * those that the account names, or else those with a usual name. Without any, `qty` is used, with a warning, except for
 * an add-on: it is used by the people of its line, so it counts none.
 */
export function readPeople(
  reading: Reading,
  line: CheckfrontLine,
  guestParameters: readonly string[] | undefined,
): LinePeople {
  const { path, value } = line;
  const { guests, others } = parametersOf(line, guestParameters);
  const byParameter = new Map(guests);
  if (guests.length > 0) {
    if (guestParameters === undefined) warnOfOthers(reading, path, others);
    return { count: sumOf(guests), byParameter };
  }
  if (isAddOn(line)) return { count: 0, byParameter };
  const quantity = countOf(value.qty);
  warnOfQuantity(reading, path, quantity);
  return { count: quantity ?? 1, byParameter };
}
