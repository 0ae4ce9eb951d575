import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  AuthenticationRejected,
  type Booking,
  BookingNotFound,
  type BookingSystemPlugin,
  bookingSchema,
  InvalidBookingResponse,
  MalformedListCursor,
} from '@waiver-service/core';
import {
  bookingSegment,
  defineBookingSystem,
  listedBooking,
  raiseForStatus,
  requiredList,
  requireOwnId,
} from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type {
  ContractSuiteOptions,
  NativeBody,
  NativeExchange,
  NativeScenarios,
  SimulatedRequest,
  StartVendor,
} from '../src/index.ts';

type Answer = NonNullable<SimulatedRequest['answer']>;

const unknown: Answer = { status: 404, body: { error: 'NO_SUCH' } };

/** The good native plugin's vendor, with a note on the reservation `R/1`, and lists of nothing else. */
export const simulatedNotes =
  (note: string): StartVendor =>
  async () => {
    let stored = note;
    const received: SimulatedRequest[] = [];
    function answerTo(method: string, path: string, body: string): Answer {
      const [route = '', query] = path.split('?');
      const asked = new URLSearchParams(query);
      switch (`${method} ${route}`) {
        case 'GET /reservations/R%2F1/note':
          return { status: 200, body: { ref: 'R/1', text: stored, version: 'v1' } };
        case 'PUT /reservations/R%2F1/note/v1':
          stored = JSON.parse(body).text;
          return { status: 200, body: {} };
        case 'GET /reservations': {
          const [size, page] = [Number(asked.get('size')), Number(asked.get('page'))];
          const list = ['R/7', 'R/8', 'R/9'].slice((page - 1) * size, page * size).map((ref) => ({ ref }));
          return { status: 200, body: { list, pages: Math.ceil(3 / size) } };
        }
        case 'GET /changes':
          return asked.get('since') === '2027-06-12T07:00:00.000Z'
            ? { status: 200, body: { changed: ['R/1'] } }
            : unknown;
        case 'GET /me':
          return { status: 200, body: {} };
        default:
          return unknown;
      }
    }
    const server = createServer(async (request, response) => {
      const { method = '', url: path = '' } = request;
      const answer = answerTo(method, path, await text(request));
      received.push({ method, path, answer });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return {
      url: `http://127.0.0.1:${address.port}`,
      received,
      state: () => stored,
      async close() {
        server.closeAllConnections();
        server.close();
      },
    };
  };

const reservationSchema = z.object({
  ref: z.string(),
  state: z.string(),
  people: z.array(z.object({ pid: z.string(), label: z.string() })),
  slot: z.object({ from: z.string(), to: z.string(), code: z.string(), title: z.string() }),
  lead: z.string(),
});

const namedSchema = z.object({ ref: z.string().optional() });
const noteSchema = z.object({ text: z.string(), version: z.string() });
const pageSchema = z.object({ list: z.unknown(), pages: z.number() });

/** Throws InvalidBookingResponse for what a schema refuses. */
export function parsed<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const found = schema.safeParse(data);
  if (!found.success) throw new InvalidBookingResponse('the answer is not what was asked for');
  return found.data;
}

const asOther = { bookingSystem: 'Good', purpose: 'other' } as const;

const errorOf = (data: unknown): unknown => Object(data).error;

function bookingOf(data: unknown): Booking {
  const { ref, state, people, slot, lead } = parsed(reservationSchema, data);
  const { from: startsAt, to: endsAt, code: activityId, title: activityName } = slot;
  return parsed(bookingSchema, {
    id: ref,
    status: state,
    contact: { name: lead },
    pax: people.length,
    guests: people.map(({ pid, label }) => ({ id: pid, name: label })),
    bookedSessions: [{ startsAt, endsAt, activityId, activityName }],
  });
}

function matching(cursor: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(cursor);
  if (found === null) throw new MalformedListCursor('not one of ours');
  return found;
}

/** A vendor with its own API: other paths, errors with status 400, a note that is read before it is written. */
export const goodNativePlugin: BookingSystemPlugin = defineBookingSystem({
  installName: 'good-native',
  displayName: 'Good, with another API',
  capabilities: {
    takes: ['notes'],
    void: true,
    aliases: true,
  },
  headers: ({ account }) => ({
    Authorization: `Basic ${Buffer.from(`${account.accountId}:${account.apiKey}`).toString('base64')}`,
  }),
  async fetchBooking({ http }, bookingId) {
    const response = await http.get(`reservations/${bookingSegment(bookingId, 'read')}`, {
      params: { expand: 'people' },
    });
    const error = errorOf(response.data);
    if (response.status === 400 && error === 'NO_SUCH') throw new BookingNotFound('no such reservation');
    if (response.status === 400 && error === 'BAD_KEY')
      throw new AuthenticationRejected('the key is not accepted');
    raiseForStatus(response, { bookingSystem: 'Good', purpose: 'read', bookingId });
    return { form: 'native', booking: bookingOf(response.data), warnings: [] };
  },
  async listBookings({ http }, { from, until, limit, cursor }) {
    // A page number counts pages of the first one's size.
    const [, size = String(limit), page = '1'] =
      cursor === undefined ? [] : matching(cursor, /^([1-9]\d*):([2-9])$/);
    const response = await http.get('reservations', { params: { from, until, size, page } });
    raiseForStatus(response, asOther);
    const { list, pages } = parsed(pageSchema, response.data);
    const bookings = requiredList(list, 'list').map((one) =>
      listedBooking(one.ref, () => ({ form: 'native', booking: bookingOf(one), warnings: [] })),
    );
    return {
      bookings: await Promise.all(bookings),
      next: Number(page) < pages ? `${size}:${Number(page) + 1}` : undefined,
    };
  },
  async changesSince({ http }, { cursor, now }) {
    const next = JSON.stringify({ since: now.toISOString() });
    if (cursor === undefined) return { bookingIds: [], cursor: next, hasMore: false };
    const [, since] = matching(cursor, /^\{"since":"(\d{4}-[^"]+)"\}$/);
    const response = await http.get('changes', { params: { since } });
    raiseForStatus(response, asOther);
    return { bookingIds: Object(response.data).changed, cursor: next, hasMore: false };
  },
  async checkAccess({ http }) {
    raiseForStatus(await http.get('me'), asOther);
    return { warnings: [] };
  },
  async pushWaiver({ http }, { id, bookingId, deleted }) {
    const address = `reservations/${bookingSegment(bookingId, 'guest-update')}/note`;
    const read = await http.get(address);
    raiseForStatus(read, asOther);
    requireOwnId({ bookingId }, parsed(namedSchema, read.data).ref ?? bookingId);
    const { text, version } = parsed(noteSchema, read.data);
    const line = `waiver ${id}`;
    const lines = text.split('\n').filter((one) => one !== line && one !== '');
    const written = await http.put(`${address}/${bookingSegment(version, 'guest-update')}`, {
      text: [...lines, ...(deleted ? [] : [line])].join('\n'),
    });
    raiseForStatus(written, asOther);
    return { accepted: true, warnings: [] };
  },
  parseInbound: ({ body }) => ({ bookingIds: Object(body).changed }),
});

const note = '/reservations/{bookingId}/note';

const twoPeople: NativeBody = {
  name: 'two people',
  body: {
    ref: 'R/1',
    state: 'ok',
    people: [
      { pid: 'P1', label: 'Zoë' },
      { pid: 'P2', label: '李小龍' },
    ],
    slot: { from: '2027-06-12T07:30:00Z', to: '2027-06-12T11:00:00Z', code: 'c', title: 'Canyoning' },
    lead: 'Zoë',
  },
  expected: {
    booking: {
      id: 'R/1',
      status: 'ok',
      contact: { name: 'Zoë' },
      pax: 2,
      guests: [
        { id: 'P1', name: 'Zoë' },
        { id: 'P2', name: '李小龍' },
      ],
      bookedSessions: [
        {
          startsAt: '2027-06-12T07:30:00Z',
          endsAt: '2027-06-12T11:00:00Z',
          activityId: 'c',
          activityName: 'Canyoning',
        },
      ],
    },
  },
};

const listExchange = (page: number, list: readonly unknown[]): NativeExchange => ({
  request: {
    method: 'GET',
    path: '/reservations',
    query: {
      from: '2027-06-12T00:00:00.000Z',
      until: '2027-06-13T00:00:00.000Z',
      size: '2',
      page: String(page),
    },
  },
  answer: { body: { list, pages: 2 } },
});

/** Its scenarios. */
export const nativeOptions: ContractSuiteOptions & { readonly native: NativeScenarios } = {
  isAuthentic: ({ headers }, { account: { accountId, apiKey } }) =>
    headers.authorization === `Basic ${btoa(`${accountId}:${apiKey}`)}`,
  native: {
    bookingId: 'R/1',
    readRequest: { method: 'GET', path: '/reservations/{bookingId}', query: { expand: 'people' } },
    bodies: [twoPeople, { ...twoPeople, name: 'by its short id', bookingId: 'R1' }],
    lists: [
      {
        name: 'two pages',
        from: '2027-06-12T00:00:00.000Z',
        until: '2027-06-13T00:00:00.000Z',
        limit: 2,
        pages: [
          {
            exchanges: [listExchange(1, [twoPeople.body, { ref: 'R/9' }])],
            bookings: [
              { bookingId: 'R/1', booking: twoPeople.expected.booking },
              { bookingId: 'R/9', isUnreadable: true },
            ],
          },
          { exchanges: [listExchange(2, [])], bookings: [] },
        ],
      },
    ],
    changes: [
      { now: '2027-06-12T07:00:00.000Z', exchanges: [], bookingIds: [], hasMore: false },
      {
        now: '2027-06-12T08:00:00.000Z',
        exchanges: [
          {
            request: { method: 'GET', path: '/changes', query: { since: '2027-06-12T07:00:00.000Z' } },
            answer: { body: { changed: ['R/1'] } },
          },
        ],
        bookingIds: ['R/1'],
        hasMore: false,
      },
    ],
    access: [{ request: { method: 'GET', path: '/me' }, answer: { body: {} } }],
    notFound: { status: 400, body: { error: 'NO_SUCH' } },
    refusals: [
      {
        name: 'a key that is not accepted',
        answer: { status: 400, body: { error: 'BAD_KEY' } },
        code: 'booking_system_auth_rejected',
      },
    ],
    guestUpdates: [
      {
        name: 'a line is added to what the staff wrote',
        waiver: { id: 'w1' },
        exchanges: [
          { request: { method: 'GET', path: note }, answer: { body: { text: 'staff', version: 'v1' } } },
          {
            request: { method: 'PUT', path: `${note}/v1`, body: { text: 'staff\nwaiver w1' } },
            answer: { body: {} },
          },
        ],
        expected: { warnings: [] },
      },
      {
        name: 'a void takes the line away',
        waiver: { id: 'w1', deleted: true },
        exchanges: [
          {
            request: { method: 'GET', path: note },
            answer: { body: { text: 'staff\nwaiver w1', version: 'v1' } },
          },
          { request: { method: 'PUT', path: `${note}/v1`, body: { text: 'staff' } }, answer: { body: {} } },
        ],
        expected: { warnings: [] },
      },
      {
        name: 'a reservation by its short id',
        waiver: { bookingId: 'R1' },
        exchanges: [{ request: { method: 'GET', path: note }, answer: { body: { ref: 'R/1', text: '' } } }],
        expected: { code: 'booking_has_other_id', ownId: 'R/1' },
      },
      {
        name: 'a refusal of the second request',
        exchanges: [
          { request: { method: 'GET', path: note }, answer: { body: { text: '', version: 'v1' } } },
          { request: { method: 'PUT', path: `${note}/v1` }, answer: { status: 503 } },
        ],
        expected: { code: 'booking_system_error' },
      },
    ],
    inbound: [
      {
        name: 'two changed reservations',
        call: { body: { changed: ['R/1', 'R/2'] } },
        bookingIds: ['R/1', 'R/2'],
      },
    ],
  },
};
