import type { RezdyBooking, RezdyField, RezdyItem, RezdyParticipant } from './rezdy-booking.ts';

// Besides field values and the name of a pick-up location.
const changeable = ['status', 'customer', 'resellerComments', 'resellerReference'] as const;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The stored booking, each part changed by the one sent in its position. Parts not sent are deleted. */
function merge<Held>(
  held: readonly Held[],
  sent: unknown,
  put: (one: Held, other: Readonly<Record<string, unknown>>) => Held,
): Held[] {
  const others = listOf(sent);
  return held.flatMap((one, index) => {
    const other = others[index];
    return typeof other === 'object' && other !== null ? [put(one, { ...other })] : [];
  });
}

const putField = ({ value: _former, ...field }: RezdyField, { value }: Readonly<Record<string, unknown>>) =>
  value === undefined || value === null ? field : { ...field, value: String(value) };

/** Sets the values of fields by label; adds no field. */
function putFields(held: readonly RezdyField[], sent: unknown): RezdyField[] {
  const others = listOf(sent).map((field) => ({ ...Object(field) }));
  return held.map((field) => putField(field, others.find(({ label }) => label === field.label) ?? {}));
}

const putParticipant = (
  held: RezdyParticipant,
  { fields }: Readonly<Record<string, unknown>>,
): RezdyParticipant => ({ ...held, fields: putFields(held.fields, fields) });

function putItem(held: RezdyItem, sent: Readonly<Record<string, unknown>>): RezdyItem {
  const { pickupLocation, participants, ...item } = held;
  const { locationName } = Object(sent.pickupLocation);
  return {
    ...item,
    ...(participants && { participants: merge(participants, sent.participants, putParticipant) }),
    ...(sent.pickupLocation ? { pickupLocation: { ...Object(pickupLocation), locationName } } : {}),
  };
}

/**
 * Applies a PUT to a booking, as strictly as Rezdy's documentation can be read: whatever is omitted is deleted, and
 * only the properties on its list change.
 * @param alsoChangeable - properties that change although they are not on that list
 */
export function putRezdyBooking(
  held: RezdyBooking,
  sent: unknown,
  alsoChangeable: readonly string[],
): RezdyBooking {
  const order: Readonly<Record<string, unknown>> = { ...Object(sent) };
  const booking: Record<string, unknown> = { ...held };
  for (const name of [...changeable, ...alsoChangeable]) {
    delete booking[name];
    if (Object.hasOwn(order, name)) booking[name] = order[name];
  }
  if (Array.isArray(held.fields)) booking.fields = putFields(held.fields, order.fields);
  const items = merge(held.items, order.items, putItem);
  return { ...booking, orderNumber: held.orderNumber, items };
}
