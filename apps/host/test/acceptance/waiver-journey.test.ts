import { type SimulatedWebhookReceiver, startWebhookReceiver } from '@waiver-service/simulator';
import { startSystemFor } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../harness/program.ts';

let program: Program;
let system: Awaited<ReturnType<typeof startSystemFor>>;
let receiver: SimulatedWebhookReceiver;
let app: { readonly token: string };
beforeAll(async () => {
  [system, receiver, program] = await Promise.all([
    startSystemFor('standard'),
    startWebhookReceiver({ auth: { type: 'basic', username: 'waivers', password: 'a:password' } }),
    startProgram({}),
  ]);
  app = { token: await program.makePool('rafting', { prefillProperties: ['notes'] }) };
  await program.connect('standard', system, 'rafting');
  await program.done('POST', '/v1/admin/pools/rafting/webhooks', {
    url: receiver.url,
    auth: { type: 'basic', username: 'waivers', password: 'a:password' },
    properties: ['name'],
  });
});
afterAll(async () => {
  await program.stop();
  await Promise.all([system.close(), receiver.close()]);
});

const waivers = '/v1/pools/rafting/waivers';
/** The updates of one waiver in the order of arrival. */
async function updatesOf(id: string, count: number) {
  const ofWaiver = (requests: readonly { body: Buffer }[]) =>
    requests.map(({ body }) => JSON.parse(body.toString()).waiver).filter((waiver) => waiver.id === id);
  return ofWaiver(
    await system.untilReceived('guest-update', (requests) => ofWaiver(requests).length >= count),
  );
}
async function webhooksOf(id: string, count: number) {
  const ofWaiver = (requests: readonly { body: Buffer }[]) =>
    requests.map(({ body }) => JSON.parse(body.toString()).guest).filter((guest) => guest.id === id);
  return ofWaiver(await receiver.untilReceived('webhook', (requests) => ofWaiver(requests).length >= count));
}

test('a waiver in several steps: each is an update with the contract’s seven fields, and one webhook', async () => {
  // The booking is known by then, with the time of its visit.
  await program.done('GET', '/v1/pools/rafting/bookings/BK-1001', undefined, app);
  const start = {
    id: 'W/1 é',
    bookingId: 'BK-1001',
    bookingGuestId: 'G-1',
    currentPage: 'rules',
    answers: { name: 'Zoë', dateOfBirth: '1990-05-01' },
  };
  const created = await program.done('POST', waivers, start, app);
  expect((await program.call('POST', waivers, start, app)).status).toBe(200);
  expect((await program.call('POST', waivers, { ...start, currentPage: null }, app)).body.code).toBe(
    'waiver_exists',
  );
  await updatesOf(start.id, 1);
  const path = `${waivers}/${encodeURIComponent(start.id)}`;
  await program.done('PATCH', path, { currentPage: 'signature' }, app);
  await updatesOf(start.id, 2);
  const last = await program.done('PATCH', path, { currentPage: null, answers: { feedback: 'Great' } }, app);

  const updates = await updatesOf(start.id, 3);
  for (const update of updates) {
    expect(Object.keys(update)).toEqual([
      'id',
      'pool',
      'bookingId',
      'bookingGuestId',
      'lastVisit',
      'deleted',
      'updatedAt',
    ]);
  }
  expect(updates.map(({ updatedAt }) => updatedAt)).toEqual(
    updates.map(({ updatedAt }) => updatedAt).toSorted(),
  );
  expect(updates.at(-1)).toEqual({
    id: start.id,
    pool: 'rafting',
    bookingId: 'BK-1001',
    bookingGuestId: 'G-1',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: last.updatedAt,
  });
  const webhooks = await webhooksOf(start.id, 3);
  expect(webhooks.at(-1)).toEqual({
    ...{
      id: start.id,
      pool: 'rafting',
      activities: [],
      createdAt: created.createdAt,
      updatedAt: last.updatedAt,
    },
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    feedback: 'Great',
    currentPage: null,
    reservationsID: 'BK-1001',
    reservationsService: 'standard',
    name: 'Zoë',
  });
  const { waivers: counted } = await program.done(
    'GET',
    '/v1/pools/rafting/bookings/BK-1001',
    undefined,
    app,
  );
  expect(counted.signed).toBe(1);
});

test('a waiver moved to another booking is first taken back from the former one', async () => {
  const path = `${waivers}/${encodeURIComponent('W/1 é')}`;
  await program.done('PATCH', path, { bookingId: 'BK-1002', bookingGuestId: 'G-2' }, app);
  const [takenBack, given] = (await updatesOf('W/1 é', 5)).slice(3);
  expect(takenBack).toMatchObject({ bookingId: 'BK-1001', deleted: true });
  expect(given).toMatchObject({ bookingId: 'BK-1002', bookingGuestId: 'G-2', deleted: false });
  expect([...system.waivers.values()].map(({ id, bookingId }) => [id, bookingId])).toEqual([
    ['W/1 é', 'BK-1002'],
  ]);
});

test('without a booking there is a webhook and no Guest Update; attaching one sends it', async () => {
  const walkIn = { id: 'W-2', answers: { name: 'Grace' } };
  const record = await program.done('POST', waivers, walkIn, app);
  const [webhook] = await webhooksOf('W-2', 1);
  expect(webhook).toMatchObject({
    activities: [],
    reservationsID: null,
    reservationsService: '',
    lastVisit: record.createdAt,
  });
  const { deliveries } = await program.done('GET', `${waivers}/W-2`, undefined, app);
  expect(deliveries.map(({ kind }: { kind: string }) => kind)).toEqual(['guest-webhook']);
  await program.done('PATCH', `${waivers}/W-2`, { bookingId: 'BK-1002', activities: ['night-zip'] }, app);
  const [update] = await updatesOf('W-2', 1);
  expect(update).toMatchObject({ bookingId: 'BK-1002', lastVisit: record.createdAt });
  expect(update).not.toHaveProperty('bookingGuestId');
  // The first read of this booking corrects the time of the visit.
  await program.done('GET', '/v1/pools/rafting/bookings/BK-1002', undefined, app);
  const [, corrected] = await updatesOf('W-2', 2);
  expect(corrected).toMatchObject({ bookingId: 'BK-1002', lastVisit: '2027-06-12T19:00:00.000Z' });
});
