import type { ReceivedRequest, SimulatedAnswer } from '@waiver-service/simulator';
import { fieldProblem, readObject, refuse } from './bookeo-bodies.ts';
import type { BookeoContent } from './bookeo-people.ts';
import { type BookeoWebhooks, isWebhookPath } from './bookeo-webhooks.ts';
import { changeBooking } from './change-booking.ts';
import { listBookings } from './list.ts';

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
  return { status: 200, body: content.people.expanded(booking, new URLSearchParams(query)) };
}
