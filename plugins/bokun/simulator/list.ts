import type { ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import { z } from 'zod';
import type { BokunActivity, BokunBooking } from './bokun-booking.ts';

const querySchema = z.object({
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).default(50),
  startDateRange: z
    .object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      includeLower: z.boolean().default(true),
      includeUpper: z.boolean().default(true),
    })
    .optional(),
});
type Query = z.infer<typeof querySchema>;

const hourMs = 3_600_000;

/** The day and the vendor's local time of an activity, as if they were UTC. */
function startDateOf({ date, startTime }: BokunActivity): number {
  const [hours = 0, minutes = 0] = (startTime ?? '').split(':').map(Number);
  return date + (hours + minutes / 60) * hourMs;
}

function isIn({ startDateRange }: Query, time: number): boolean {
  if (startDateRange === undefined) return true;
  const { from, to, includeLower, includeUpper } = startDateRange;
  const [lower, upper] = [Date.parse(from), Date.parse(to)];
  return (
    (time > lower || (includeLower && time === lower)) && (time < upper || (includeUpper && time === upper))
  );
}

const entriesOf = ({ confirmationCode, bookingId, activityBookings }: BokunBooking) =>
  activityBookings.map((activity) => ({
    id: activity.bookingId,
    parentBookingId: bookingId,
    confirmationCode,
    status: activity.status,
    startDate: startDateOf(activity),
  }));

const readQuery = (body: Buffer) => {
  try {
    return querySchema.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
};

/** Answers a search for booked products: an entry for each activity. */
export function searchProductBookings(
  { headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>,
  bookings: Iterable<BokunBooking>,
): SimulatedAnswer {
  const query = /^application\/json\b/.test(headers['content-type'] ?? '') ? readQuery(body) : undefined;
  if (query === undefined) return { status: 400, body: { message: 'The query is not valid', fields: {} } };
  const { page, pageSize } = query;
  const found = [...bookings].flatMap(entriesOf).filter(({ startDate }) => isIn(query, startDate));
  return {
    status: 200,
    body: {
      tookInMillis: 3,
      totalHits: found.length,
      query,
      results: found.slice((page - 1) * pageSize, page * pageSize),
    },
  };
}
