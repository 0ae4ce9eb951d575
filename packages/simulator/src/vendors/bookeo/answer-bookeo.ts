import type { ReceivedRequest, SimulatedAnswer } from '../../http/received-request.ts';
import type { BookeoBooking } from './bookeo-booking.ts';
import type { BookeoPeople } from './bookeo-people.ts';

/** The addresses that faults can be planned for: a booking is read, a person is changed. */
export type BookeoRoute = 'read' | 'person';

/** What a call to Bookeo must carry. */
export interface BookeoKeys {
  /** The account's key. */
  readonly apiKey: string;
  /** The application's key. */
  readonly secretKey: string;
}

/** What a simulated Bookeo holds. */
export interface BookeoContent {
  readonly bookings: ReadonlyMap<string, BookeoBooking>;
  readonly people: BookeoPeople;
  /** The names and ids of the account's customer custom fields. */
  readonly customFields: readonly string[];
}

const bookingPath = /^\/bookings\/([^/]+)$/;
const personPath = /^\/customers\/([^/]+)(?:\/linkedpeople\/([^/]+))?$/;

const refuse = (status: number, message: string): SimulatedAnswer => ({
  status,
  body: { httpStatus: status, message, errorId: `E${status}` },
});

/** The route of a raw path. */
export function routeOfBookeo(method: string, rawPath: string): BookeoRoute | 'other' {
  const [path = ''] = rawPath.split('?');
  if (method === 'GET' && bookingPath.test(path)) return 'read';
  return method === 'PUT' && personPath.test(path) ? 'person' : 'other';
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

function readObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

function fieldProblem(fields: unknown, known: readonly string[]): string | undefined {
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields)) return 'customFields must be a list';
  const problems = fields.map((field: unknown) => {
    const { id, name = '', value } = objectOf(field) ?? {};
    const called = String(id ?? name);
    if (!known.includes(called)) return `there is no customer custom field ${JSON.stringify(called)}`;
    return typeof value === 'string' ? undefined : `the custom field ${JSON.stringify(called)} needs a value`;
  });
  return problems.find((problem) => problem !== undefined);
}

function changePerson(
  { path, body }: ReceivedRequest,
  { people, customFields }: BookeoContent,
): SimulatedAnswer {
  const [, customerId = '', linkedId] = personPath.exec(path) ?? [];
  const person = [
    decodeURIComponent(customerId),
    linkedId === undefined ? undefined : decodeURIComponent(linkedId),
  ] as const;
  if (people.find(...person) === undefined) return refuse(404, 'there is no such person');
  const change = readObject(body);
  if (change === undefined) return refuse(400, 'the body is not a person');
  const problem = fieldProblem(change.customFields, customFields);
  if (problem !== undefined) return refuse(400, problem);
  people.change(...person, change);
  return { status: 200, body: {} };
}

/** Answers as Bookeo's API v2 does. */
export function answerBookeo(
  request: ReceivedRequest<BookeoRoute>,
  content: BookeoContent,
  { apiKey, secretKey }: BookeoKeys,
): SimulatedAnswer {
  const { headers, route } = request;
  if (headers['x-bookeo-secretkey'] !== secretKey) return refuse(401, 'the secret key is not valid');
  if (headers['x-bookeo-apikey'] !== apiKey) return refuse(403, 'the API key has no access to this account');
  if (route === 'person') return changePerson(request, content);
  const [path = '', query] = request.path.split('?');
  const number = route === 'read' ? bookingPath.exec(path)?.[1] : undefined;
  const booking = number === undefined ? undefined : content.bookings.get(decodeURIComponent(number));
  if (booking === undefined) return refuse(404, 'not found');
  return { status: 200, body: content.people.expanded(booking, new URLSearchParams(query)) };
}
