import type { ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import { fieldProblem, objectOf, readObject, refuse } from './bookeo-bodies.ts';
import type { BookeoBooking, BookeoParticipant } from './bookeo-booking.ts';
import type { BookeoContent } from './bookeo-people.ts';

type JsonObject = Readonly<Record<string, unknown>>;

// Fields that Bookeo maintains itself; it ignores them in requests.
const readOnly = [
  'bookingNumber',
  'customerId',
  'title',
  'canceled',
  'accepted',
  'creationTime',
  'productName',
  'price',
  'specificVoucherCode',
];

const listOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.map((one: unknown) => objectOf(one) ?? {}) : [];

function problemOf(
  booking: BookeoBooking,
  change: JsonObject,
  { customFields }: BookeoContent,
): string | undefined {
  const participants = objectOf(change.participants) ?? {};
  if (booking.canceled === true) return 'the booking is canceled';
  if (change.productId !== booking.productId) return 'productId is required';
  if ('customer' in change) return 'a customer can be given for a new booking only';
  if ('eventId' in change === 'startTime' in change) return 'either eventId or startTime must be specified';
  if (!Array.isArray(participants.numbers)) return 'participants.numbers is required';
  const problems = listOf(participants.details).map(({ personId, personDetails }) =>
    personId === 'PNEW' ? fieldProblem(objectOf(personDetails)?.customFields, customFields) : undefined,
  );
  return problems.find((problem) => problem !== undefined);
}

// A place that the change omits becomes empty; a new person is linked to the customer. Bookeo documents the person's
// details for new bookings only, so they may be ignored here.
function placesOf(
  booking: BookeoBooking,
  change: JsonObject,
  { people, keepsNewPeople }: BookeoContent,
): BookeoParticipant[] {
  const given = listOf(objectOf(change.participants)?.details);
  return booking.participants.details.map(({ peopleCategoryId, categoryIndex }) => {
    const place = given.find(
      (one) => one.peopleCategoryId === peopleCategoryId && one.categoryIndex === categoryIndex,
    );
    const personId =
      place?.personId === 'PNEW'
        ? people.add(booking.customerId, (keepsNewPeople && objectOf(place.personDetails)) || {})
        : String(place?.personId ?? 'PUNKNOWN');
    return { personId, peopleCategoryId, categoryIndex };
  });
}

// The effects of omitted fields: other times, other resources, a price without its promotion.
function effectsOfOmissions(booking: BookeoBooking, change: JsonObject): JsonObject {
  const isFlexible = listOf(booking.resources).length > 0;
  return {
    ...('eventId' in change ? { startTime: booking.startTime, endTime: booking.endTime } : {}),
    ...(isFlexible && !('endTime' in change) ? { endTime: booking.startTime } : {}),
    ...(isFlexible && !('resources' in change) ? { resources: [{ id: 'assigned', name: 'Assigned' }] } : {}),
    ...('promotionName' in booking && !('promotionCodeInput' in change)
      ? { price: { totalGross: { amount: 'without promotion', currency: 'EUR' } } }
      : {}),
  };
}

/**
 * `PUT /bookings/{bookingNumber}` as Bookeo documents it: the booking is replaced, and omitted fields are lost. Users and
 * customer are notified unless the query opts out.
 */
export function changeBooking(
  { path, body }: ReceivedRequest,
  bookingNumber: string,
  content: BookeoContent,
): SimulatedAnswer {
  const booking = content.bookings.get(bookingNumber);
  if (booking === undefined) return refuse(404, 'not found');
  const query = new URLSearchParams(path.split('?')[1]);
  const change = readObject(body);
  if (change === undefined) return refuse(400, 'the body is not a booking');
  if (query.get('mode') !== 'backend') return refuse(400, 'it is too late to change this booking');
  const problem = problemOf(booking, change, content);
  if (problem !== undefined) return refuse(400, problem);
  const kept = Object.entries(booking).filter(([name]) => readOnly.includes(name));
  const details = placesOf(booking, change, content);
  const { numbers } = objectOf(change.participants) ?? {};
  content.bookings.set(bookingNumber, {
    ...change,
    ...Object.fromEntries(kept),
    ...effectsOfOmissions(booking, change),
    bookingNumber,
    customerId: booking.customerId,
    participants: { numbers: Array.isArray(numbers) ? numbers : [], details },
  });
  for (const name of ['notifyUsers', 'notifyCustomer']) {
    if (query.get(name) !== 'false') content.notifications.push(name);
  }
  return { status: 200, body: {} };
}
