import type { ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import {
  type BookeoBooking,
  type BookeoContent,
  type BookeoParticipant,
  fieldProblem,
  objectOf,
  readObject,
  refuse,
} from './bookeo-booking.ts';
import { type BookeoWebhooks, isWebhookPath } from './bookeo-webhooks.ts';

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
function changeBooking(
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

/** The routes for which faults can be planned. */
export type BookeoRoute = 'read' | 'list' | 'key' | 'booking' | 'person' | 'webhooks';

export interface BookeoKeys {
  /** The account's key. */
  readonly apiKey: string;
  /** The application's key. */
  readonly secretKey: string;
}

const bookingPath = /^\/bookings\/([^/]+)$/;
const personPath = /^\/customers\/([^/]+)(?:\/linkedpeople\/([^/]+))?$/;

export function routeOfBookeo(method: string, rawPath: string): BookeoRoute | 'other' {
  const [path = ''] = rawPath.split('?');
  if (method === 'GET' && path === '/bookings') return 'list';
  if (method === 'GET' && path === '/settings/apikeyinfo') return 'key';
  if (method === 'GET' && bookingPath.test(path)) return 'read';
  if (method === 'PUT' && bookingPath.test(path)) return 'booking';
  if (isWebhookPath(path)) return 'webhooks';
  return method === 'PUT' && personPath.test(path) ? 'person' : 'other';
}

function changePerson(
  { path, body }: ReceivedRequest,
  { people, customFields, keepsCustomFields }: BookeoContent,
): SimulatedAnswer {
  const [, customerId = '', linkedId] = personPath.exec(path) ?? [];
  const person = [
    decodeURIComponent(customerId),
    linkedId === undefined ? undefined : decodeURIComponent(linkedId),
  ] as const;
  const former = people.find(...person);
  if (former === undefined) return refuse(404, 'there is no such person');
  const change = readObject(body);
  if (change === undefined) return refuse(400, 'the body is not a person');
  const problem = fieldProblem(change.customFields, customFields);
  if (problem !== undefined) return refuse(400, problem);
  const fields = keepsCustomFields ? change.customFields : former.customFields;
  people.change(...person, { ...change, customFields: fields });
  return { status: 200, body: {} };
}

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
function listBookings(asked: URLSearchParams, { bookings, people }: BookeoContent): SimulatedAnswer {
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

/** Answers a request as Bookeo's API v2 does. */
export function answerBookeo(
  request: ReceivedRequest<BookeoRoute>,
  content: BookeoContent & { readonly webhooks: BookeoWebhooks },
  { apiKey, secretKey }: BookeoKeys,
): SimulatedAnswer {
  const { headers, route } = request;
  if (headers['x-bookeo-secretkey'] !== secretKey) return refuse(401, 'the secret key is not valid');
  if (headers['x-bookeo-apikey'] !== apiKey) return refuse(403, 'the API key has no access to this account');
  if (route === 'webhooks') return content.webhooks.answer(request);
  if (route === 'person') return changePerson(request, content);
  if (route === 'key') return { status: 200, body: { accountId: '4155', permissions: ['bookings_r_all'] } };
  const [path = '', query] = request.path.split('?');
  if (route === 'list') return listBookings(new URLSearchParams(query), content);
  const number = decodeURIComponent(bookingPath.exec(path)?.[1] ?? '');
  if (route === 'booking') return changeBooking(request, number, content);
  const booking = route === 'read' ? content.bookings.get(number) : undefined;
  if (booking === undefined) return refuse(404, 'not found');
  return { status: 200, body: content.shows(content.people.expanded(booking, new URLSearchParams(query))) };
}
