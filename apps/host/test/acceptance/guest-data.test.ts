import { createServer, type IncomingMessage } from 'node:http';
import {
  type DocumentedOperation,
  documentedOperations,
  listenLocally,
  publishForm,
  type TestCaller,
  textAt,
  until,
} from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { named, ownersOnly, readByOperators } from '../harness/routes-of-roles.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

interface EchoingPartner {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A booking system and webhook receiver that refuses whatever it is sent by quoting it.
 * @param bookings - the Booking Details responses, by booking id
 */
async function startEchoingPartner(bookings: Readonly<Record<string, unknown>>): Promise<EchoingPartner> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const id = /^\/bookings\/([^/?]+)(?:\?|$)/.exec(request.url ?? '')?.[1] ?? '';
    const booking = request.method === 'GET' ? bookings[id] : undefined;
    response.writeHead(booking === undefined ? 422 : 200, { 'content-type': 'application/json' });
    response.end(
      booking === undefined ? `{"success":false,"message":${JSON.stringify(body)}}` : JSON.stringify(booking),
    );
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Looked for in every response. Ids of bookings, guests and waivers are shown to viewers, so that they can ask. */
const planted = /planted-\w+/g;
const plant = (name: string) => `planted-${name}`;

const answers = {
  name: plant('name'),
  email: `${plant('mail')}@example.com`,
  phoneNumber: plant('phone'),
  howHeard: plant('heard'),
  emergencyName: plant('emergency'),
  emergencyPhone: plant('emergencyPhone'),
  emergencyRelationship: plant('relationship'),
  guardianName: plant('guardian'),
  notes: plant('notes'),
  feedback: plant('feedback'),
  ownQuestion: { list: [plant('nested')] },
};

const booking = {
  id: 'BK-1',
  status: 'confirmed',
  pax: '2',
  notes: plant('bookingNotes'),
  contact: {
    name: plant('contact'),
    email: plant('contactMail'),
    phoneNumber: plant('contactPhone'),
    hotel: plant('contactHotel'),
  },
  guests: [
    { id: 'G-1', name: plant('guest'), email: plant('guestMail'), phoneNumber: plant('guestPhone') },
    { id: 'G-2', name: plant('otherGuest'), dietary: plant('guestExtra'), height: [plant('wrongHeight')] },
  ],
  bookedSessions: [
    {
      startsAt: '2027-06-12T07:30:00Z',
      endsAt: '2027-06-12T09:30:00Z',
      activityId: 'raft',
      activityName: 'Rafting',
      participants: plant('sessionExtra'),
    },
  ],
  internal: plant('bookingExtra'),
};
const bookings = {
  'BK-1': booking,
  'BK-bad': { ...booking, id: 'BK-bad', bookedSessions: [{ startsAt: plant('startsAt') }] },
};

let host: TestHost;
let partner: EchoingPartner;
let operations: DocumentedOperation[];
let viewer: TestCaller;
let ids: Readonly<Record<string, readonly string[]>>;

const deliveries = async () => (await host.admin('GET', '/v1/admin/deliveries')).body.items;

beforeAll(async () => {
  partner = await startEchoingPartner(bookings);
  host = await startTestHost();
  operations = await documentedOperations(host.url);
  const app = await host.makePool('mine', { prefillProperties: ['notes', 'dietary', 'hotel'] });
  await host.connect('standard', partner, 'mine');
  const shareProperties = Object.keys(answers);
  const pool = '/v1/admin/pools/mine';
  await host.admin('PATCH', `${pool}/installations/standard`, { shareProperties });
  const webhook = await host.admin('POST', `${pool}/webhooks`, {
    url: partner.url,
    auth: { type: 'none' },
    properties: shareProperties,
  });
  // With the visit's time, so that reading the booking does not change it.
  const lastVisit = '2027-06-12T07:30:00Z';
  const signed = { id: 'W-1', bookingId: 'BK-1', bookingGuestId: 'G-1', lastVisit, answers };
  expect(await app('POST', '/v1/pools/mine/waivers', signed)).toMatchObject({ status: 201 });
  const dead = await until(async () => {
    const items: { id: string; state: string }[] = await deliveries();
    return items.length === 2 && items.every(({ state }) => state === 'dead') && items;
  }, 'both deliveries to be dead');
  const recovery = await host.admin('POST', '/v1/admin/deliveries/recover', {
    pool: 'mine',
    since: '2020-01-01T00:00:00Z',
    until: '2020-01-02T00:00:00Z',
  });
  const erasure = await host.admin('POST', `${pool}/erasures`, { email: 'nobody@example.com' });
  await host.admin('PUT', `${pool}/waivers/W-1/hold`, { reason: plant('hold') });
  const alert = await host.admin('POST', '/v1/admin/alerts', {
    name: 'On call',
    url: partner.url,
    auth: { type: 'none' },
    pools: ['mine'],
  });
  const { form } = await publishForm(host, 'mine');
  ids = {
    '/v1/admin/pools/{pool}/forms/{form}': [form],
    '/v1/admin/pools/{pool}/forms/{form}/versions/{version}': [form],
    '/v1/admin/alerts/{id}': [textAt(alert.body, 'id')],
    '/v1/admin/pools/{pool}/erasures/{id}': [textAt(erasure.body, 'id')],
    '/v1/admin/deliveries/{id}': dead.map(({ id }) => id),
    '/v1/admin/pools/{pool}/webhooks/{id}': [textAt(webhook.body, 'id')],
    '/v1/admin/pools/{pool}/days/{date}': ['2027-06-12'],
    '/v1/admin/recoveries/{id}': [textAt(recovery.body, 'recoveryId')],
    '/v1/pools/{pool}/bookings/{booking_id}': Object.keys(bookings),
    '/v1/pools/{pool}/waivers/{id}': ['W-1'],
    '/v1/admin/pools/{pool}/waivers/{id}/versions': ['W-1'],
  };
  const credential = await host.admin('POST', '/v1/admin/credentials', {
    name: 'a viewer',
    role: 'viewer',
    pools: ['mine'],
  });
  viewer = host.as(textAt(credential.body, 'token'));
});
afterAll(async () => {
  await host?.close();
  await partner?.close();
});

// By the contract bookings cannot be listed. What a viewer sees of a list is tested where lists are.
const listing = '/v1/pools/{pool}/bookings';
const exported = '/v1/admin/pools/{pool}/export';

function statusOf(operation: DocumentedOperation, address: string): number {
  if ([...ownersOnly, ...readByOperators].includes(named(operation))) return 403;
  if (operation.path === listing) return 409;
  return address.includes('BK-bad') ? 502 : 200;
}

/** The addresses of a route, one for each thing that its last placeholder can be. */
function addressesOf({ path }: DocumentedOperation): string[] {
  const filled = path
    .replace('{pool}', 'mine')
    .replace('{booking_system}', 'standard')
    .replace('{version}', '1');
  if (path === exported) return [`${filled}?waiverId=W-1`];
  if (path === listing) return [`${filled}?from=2027-06-12&until=2027-06-13`];
  if (!filled.includes('{')) return [filled];
  const known = ids[path] ?? ids[path.replace(/\}\/[^{]+$/, '}')] ?? ['x'];
  return known.map((id) => filled.replace(/\{\w+\}/, id));
}

const reads = () => operations.filter(({ method, needsToken }) => method === 'GET' && needsToken);

test('a viewer reads everything except the owners’ routes, and finds no guest’s data anywhere', async () => {
  for (const operation of reads()) {
    for (const address of addressesOf(operation)) {
      const { status, text } = await viewer('GET', address);
      const expected = statusOf(operation, address);
      expect([address, status], 'give ids the id that this route can be read by').toEqual([
        address,
        expected,
      ]);
      expect([address, text.match(planted)]).toEqual([address, null]);
    }
  }
});

test('nothing else that a viewer calls shows any', async () => {
  for (const operation of operations.filter(({ method, needsToken }) => method !== 'GET' && needsToken)) {
    for (const address of addressesOf(operation)) {
      for (const body of [{ bookingId: 'BK-1' }, undefined]) {
        const { status, text } = await viewer(operation.method, address, body);
        const isRefused = status >= 400 || operation.path === '/console/api/session';
        expect([operation, isRefused, text.match(planted)]).toEqual([operation, true, null]);
      }
    }
  }
});

test('omitted data is marked as omitted, and the rest is there', async () => {
  const waiver = (await viewer('GET', '/v1/pools/mine/waivers/W-1')).body;
  expect(waiver).toMatchObject({ answers: null, redacted: true, bookingId: 'BK-1', deliveries: [{}, {}] });
  const read = (await viewer('GET', '/v1/pools/mine/bookings/BK-1')).body;
  expect(read).toMatchObject({
    redacted: true,
    booking: { id: 'BK-1', status: 'confirmed', pax: 2, contact: null, guests: null },
    booker: null,
    guests: null,
    waivers: { signed: 1, pax: 2, missing: [{ bookingGuestId: 'G-2' }] },
    stale: false,
  });
  expect(read.booking.bookedSessions).toEqual([
    {
      startsAt: '2027-06-12T07:30:00Z',
      endsAt: '2027-06-12T09:30:00Z',
      activityId: 'raft',
      activityName: 'Rafting',
    },
  ]);
  for (const id of ids['/v1/admin/deliveries/{id}'] ?? []) {
    const delivery = (await viewer('GET', `/v1/admin/deliveries/${id}`)).body;
    expect(delivery).toMatchObject({ body: null, redacted: true, waiverId: 'W-1' });
    expect(delivery.attempts[0]).toMatchObject({ status: 422, response: null });
  }
});

test('an operator sees all of it, so the words are where they are looked for', async () => {
  const seen = new Set<string>();
  for (const operation of reads()) {
    for (const address of addressesOf(operation)) {
      for (const word of (await host.admin('GET', address)).text.match(planted) ?? []) seen.add(word);
    }
  }
  const all = JSON.stringify([answers, bookings]).match(planted) ?? [];
  expect([...new Set(all)].filter((word) => !seen.has(word))).toEqual([]);
  const redacted = JSON.stringify((await host.admin('GET', '/v1/pools/mine/waivers/W-1')).body);
  expect(redacted).not.toContain('redacted');
});
