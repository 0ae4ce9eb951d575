import type { SimulatedAnswer } from '@waiver-service/simulator';
import { refuse } from './bookeo-bodies.ts';
import type { BookeoContent } from './bookeo-people.ts';

const maxPeriodMs = 31 * 86_400_000;

/** A period of a search; `undefined` if the search does not have it, a message if Bookeo refuses it. */
function periodOf(query: URLSearchParams, startName: string, endName: string) {
  const [start, end] = [query.get(startName), query.get(endName)];
  if (start === null && end === null) return undefined;
  const [from, until] = [Date.parse(start ?? ''), Date.parse(end ?? '')];
  if (Number.isNaN(from) || Number.isNaN(until)) return `${startName} and ${endName} are both required`;
  return until - from > maxPeriodMs ? `${startName} to ${endName} is more than 31 days` : { from, until };
}

/** `GET /bookings`: a page of the bookings in a period, by start or last change. Tokens encode the search. */
export function listBookings(asked: URLSearchParams, { bookings, people }: BookeoContent): SimulatedAnswer {
  const token = asked.get('pageNavigationToken');
  const query = token === null ? asked : new URLSearchParams(Buffer.from(token, 'base64url').toString());
  const started = periodOf(query, 'startTime', 'endTime');
  const changed = periodOf(query, 'lastUpdatedStartTime', 'lastUpdatedEndTime');
  const problem = [started, changed].find((period) => typeof period === 'string');
  if (problem !== undefined) return refuse(400, problem);
  if (started === undefined && changed === undefined) return refuse(400, 'a period is required');
  const limit = Number(query.get('itemsPerPage') ?? 50);
  if (!(limit >= 1 && limit <= 100)) return refuse(400, 'itemsPerPage is 1 to 100');
  const isIn = (time: unknown, period: typeof started) =>
    period === undefined ||
    typeof period === 'string' ||
    (Date.parse(String(time)) >= period.from && Date.parse(String(time)) <= period.until);
  const found = [...bookings.values()].filter(
    ({ startTime, lastChangeTime, creationTime, canceled }) =>
      isIn(startTime, started) &&
      isIn(lastChangeTime ?? creationTime, changed) &&
      (canceled !== true || query.get('includeCanceled') === 'true'),
  );
  const page = token === null ? 1 : Number(asked.get('pageNumber') ?? 1);
  const totalPages = Math.max(1, Math.ceil(found.length / limit));
  return {
    status: 200,
    body: {
      data: found.slice((page - 1) * limit, page * limit).map((one) => people.expanded(one, query)),
      info: {
        totalItems: found.length,
        totalPages,
        currentPage: page,
        ...(totalPages > 1 ? { pageNavigationToken: Buffer.from(String(query)).toString('base64url') } : {}),
      },
    },
  };
}
