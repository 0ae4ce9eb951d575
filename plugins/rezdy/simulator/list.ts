import type { SimulatedAnswer } from '@waiver-service/simulator';
import { refuse } from './rezdy-answers.ts';
import type { RezdyBooking } from './rezdy-booking.ts';

// Rezdy refuses a fraction of a second, or a space instead of the T.
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const timeNames = ['minTourStartTime', 'maxTourStartTime', 'updatedSince', 'minDateCreated'] as const;

/** `GET /bookings`: a page of orders. `updatedSince` excludes its own second, and never updated orders. */
export function listRezdyBookings(
  asked: URLSearchParams,
  bookings: ReadonlyMap<string, RezdyBooking>,
): SimulatedAnswer {
  const wrong = timeNames.find((name) => asked.has(name) && !time.test(asked.get(name) ?? ''));
  if (wrong !== undefined) return refuse('3', `Invalid Date format: ${wrong}`);
  const [limit, offset] = [Number(asked.get('limit') ?? 100), Number(asked.get('offset') ?? 0)];
  if (!(limit >= 1 && limit <= 100)) return refuse('3', 'limit is 1 to 100');
  const atLeast = (value: unknown, name: (typeof timeNames)[number]) =>
    !asked.has(name) || Date.parse(String(value)) >= Date.parse(asked.get(name) ?? '');
  const startsIn = ({ items }: RezdyBooking) =>
    (!asked.has('minTourStartTime') && !asked.has('maxTourStartTime')) ||
    items.some(
      ({ startTime }) =>
        atLeast(startTime, 'minTourStartTime') &&
        Date.parse(String(startTime)) <= Date.parse(asked.get('maxTourStartTime') ?? '9999-12-31'),
    );
  const updatedSince = Date.parse(asked.get('updatedSince') ?? '');
  const found = [...bookings.values()].filter(
    (booking) =>
      startsIn(booking) &&
      atLeast(booking.dateCreated, 'minDateCreated') &&
      (!asked.has('updatedSince') || Date.parse(String(booking.dateUpdated)) > updatedSince),
  );
  const page = found.slice(offset, offset + limit);
  return { status: 200, body: { requestStatus: { success: true, version: 'v1' }, bookings: page } };
}
