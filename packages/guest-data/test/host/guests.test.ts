import { alertsData } from '@waiver-service/alerts/data';
import { dayBoardModule } from '@waiver-service/day-board';
import { dayBoardData } from '@waiver-service/day-board/data';
import { peopleData } from '@waiver-service/people/data';
import { peopleOnTestHosts } from '@waiver-service/people/testing';
import { signingData } from '@waiver-service/signing/data';
import { signingOnTestHosts, withoutGuestMailOrKiosks } from '@waiver-service/signing/testing';
import {
  adminToken,
  prepareCheckIn,
  prepareInstalled,
  problem,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  textAt,
  until,
} from '@waiver-service/testing';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { guestData } from '../../src/data/guest-data.ts';
import { guestDataModule } from '../../src/guest-data-module.ts';

/** A host with the rights of guests, also to what the day board keeps of them. */
const startGuestDataHost = (options: Pick<TestHostOptions, 'settings'> = {}): Promise<TestHost> =>
  startTestHost({
    ...options,
    features: [peopleData, alertsData, signingData, dayBoardData, guestData],
    modules: [
      ...peopleOnTestHosts(adminToken),
      ...signingOnTestHosts(),
      dayBoardModule,
      guestDataModule,
      withoutGuestMailOrKiosks,
    ],
  });

const host = await startGuestDataHost({ settings: { role: 'api' } });
afterAll(() => host.close());
const { accessToken: app } = await host.preparePool('p1');
const admin = '/v1/admin/pools/p1';
const waivers = '/v1/pools/p1/waivers';
const email = 'Ann@Example.com';

const sign = (id: string, answers: object = { name: 'Åsa 李', email }) =>
  host.call('POST', waivers, { id, answers }, { token: app });

const isDone = async (id: string) =>
  (await host.call('GET', `${admin}/erasures/${id}`)).body.state === 'done';

test('a hold is shown with the record to people, and to viewers without its reason', async () => {
  await sign('held/1');
  const hold = `${admin}/waivers/held%2F1/hold`;
  const placed = await host.call('PUT', hold, { reason: ' a claim ' });
  expect(placed).toMatchObject({ status: 200, body: { reason: 'a claim', by: 'admin-token' } });
  const record = await host.call('GET', `${waivers}/held%2F1`);
  expect(record.body.hold).toEqual(placed.body);
  const viewer = await host.call('POST', '/v1/admin/credentials', { name: 'v', role: 'viewer' });
  const seen = await host.call('GET', `${waivers}/held%2F1`, undefined, { token: viewer.body.token });
  expect(seen.body.hold).toEqual({ ...placed.body, reason: null });
  const byApp = await host.call('GET', `${waivers}/held%2F1`, undefined, { token: app });
  expect(byApp.body).not.toHaveProperty('hold');
  const refused = await host.call('POST', `${admin}/erasures`, { waiverId: 'held/1' });
  expect(refused).toMatchObject(problem(409, 'waiver_held'));
  expect(refused.body.message).toContain('"held/1"');
  const heldOnly = `${waivers}?state=held`;
  expect((await host.call('GET', heldOnly)).body.items).toMatchObject([{ id: 'held/1' }]);
  expect((await host.call('GET', heldOnly, undefined, { token: app })).status).toBe(403);
  expect((await host.call('DELETE', hold)).status).toBe(204);
  expect((await host.call('DELETE', hold)).status).toBe(204);
  expect((await host.call('GET', `${waivers}/held%2F1`)).body).not.toHaveProperty('hold');
  expect(await host.call('PUT', `${admin}/waivers/none/hold`, { reason: 'r' })).toMatchObject(
    problem(404, 'waiver_not_found'),
  );
  for (const reason of ['  ', 'x'.repeat(1_001)])
    expect((await host.call('PUT', hold, { reason })).status).toBe(400);
});

test('reading or writing an erased waiver is a 410', async () => {
  await sign('gone', { name: 'Bob', email: 'bob@example.com' });
  const erasure = await host.call('POST', `${admin}/erasures`, { email: ' BOB@example.com' });
  expect(erasure).toMatchObject({
    status: 202,
    body: { pool: 'p1', waivers: 1, heldWaivers: [], askedBy: 'admin-token', doneAt: null },
  });
  const again = await host.call('POST', `${admin}/erasures`, { waiverId: 'gone' });
  expect(again).toMatchObject({ status: 202, body: { id: erasure.body.id } });
  const answers = await Promise.all([
    host.call('GET', `${waivers}/gone`),
    host.call('PATCH', `${waivers}/gone`, { answers: { name: 'X' } }),
    host.call('POST', `${waivers}/gone/void`),
    sign('gone', { name: 'Bob', email: 'bob@example.com' }),
    host.call('PUT', `${admin}/waivers/gone/hold`, { reason: 'too late' }),
    host.call('DELETE', `${admin}/waivers/gone/hold`),
    host.call('GET', `${admin}/export?waiverId=gone`),
  ]);
  for (const { status, body } of answers) expect([status, body.code]).toEqual([410, 'waiver_erased']);
  expect((await host.call('GET', waivers)).text).not.toContain('"gone"');
  await until(() => isDone(erasure.body.id), 'the erasure to be done');
  // The feed waits for older transactions, those of other tests too.
  const changed = await until(async () => {
    const { body } = await host.call('GET', '/v1/pools/p1/changes');
    return body.items.find(({ id }: { id: string }) => id === 'gone');
  }, 'the erasure to be in the feed');
  expect(changed).toMatchObject({ erased: true, deleted: true, answers: {} });
  expect((await host.call('GET', `${admin}/erasures?limit=1`)).body.items).toMatchObject([
    { id: erasure.body.id, state: 'done' },
  ]);
  expect((await host.call('GET', `${admin}/erased-waivers`)).body).toEqual({
    items: [
      {
        id: 'gone',
        erasureId: erasure.body.id,
        askedBy: 'admin-token',
        askedAt: erasure.body.askedAt,
        erasedAt: expect.any(String),
      },
    ],
    next: null,
  });
  expect((await host.call('GET', `${admin}/erased-waivers?cursor=x`)).status).toBe(400);
});

test('an export is one JSON document, and who asked for it is in the audit log', async () => {
  await sign('mine-1');
  await sign('mine-2');
  const exported = await host.call('GET', `${admin}/export?email=${encodeURIComponent('ANN@example.com')}`);
  expect(exported.status).toBe(200);
  expect(exported.headers.get('content-disposition')).toContain('attachment');
  expect(exported.body).toMatchObject({ pool: 'p1', exportedAt: expect.any(String) });
  const ids = exported.body.waivers.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining(['mine-1', 'mine-2']));
  expect(exported.body.waivers[ids.indexOf('mine-1')]).toMatchObject({
    answers: { name: 'Åsa 李' },
    hold: null,
    versions: [{ version: 1, fields: [], answers: [] }],
    deliveries: [],
  });
  await host.call('GET', `${admin}/export?waiverId=mine-1`);
  const { body } = await host.call('GET', '/v1/admin/audit?action=guest.export');
  expect(body.items.map(({ target }: { target: string }) => target)).toEqual(['mine-1', undefined, 'gone']);
  expect((await host.call('GET', `${admin}/export?email=nobody%40example.com`)).body.waivers).toEqual([]);
  // The address is the guest's.
  expect(host.lines.join('')).not.toMatch(/ann(@|%40)example|bob(@|%40)example/i);
});

test.each([
  {},
  { waiverId: 'a', email: 'b@example.com' },
  { email: ' ' },
  { email: `${'x'.repeat(320)}@example.com` },
  { waiverId: 'x'.repeat(257) },
  { name: 'Ann' },
])('%j names no guest', async (guest) => {
  expect((await host.call('POST', `${admin}/erasures`, guest)).status).toBe(400);
  const query = new URLSearchParams(Object.entries(guest).map(([name, value]) => [name, String(value)]));
  expect((await host.call('GET', `${admin}/export?${query}`)).status).toBe(400);
});

test('retention is a setting of the pool', async () => {
  const put = (retention?: object) => host.call('PUT', admin, { name: 'p1', retention });
  expect((await host.call('GET', admin)).body.retention).toEqual({ waiversDays: null });
  expect((await put({ waiversDays: 365 })).body.retention).toEqual({ waiversDays: 365 });
  expect((await put()).body.retention).toEqual({ waiversDays: 365 });
  for (const waiversDays of [0, 36_501, 1.5]) expect((await put({ waiversDays })).status).toBe(400);
  expect((await put({ waiversDays: null })).body.retention).toEqual({ waiversDays: null });
});

test('HEAD does not read an export to throw it away', async () => {
  expect((await host.call('HEAD', `${admin}/export?waiverId=mine-1`)).status).toBe(405);
});

const pool = '/v1/admin/pools/rafting';
const day = `${pool}/days/2027-06-12`;

test('the tick of a walk-in stays when the waiver is attached, and goes with its erasure', async () => {
  const { host, app, close } = await prepareInstalled(startGuestDataHost());
  onTestFinished(close);
  await app('GET', '/v1/pools/rafting/bookings/BK-1001');
  const bookingNow = async () =>
    (await host.admin('GET', day)).body.bookings.find(
      ({ bookingId }: { bookingId: string }) => bookingId === 'BK-1001',
    );
  const lastVisit = '2027-06-12T08:00:00Z';
  const { body } = await app('POST', '/v1/pools/rafting/waivers', { lastVisit, answers: { name: 'Ida' } });
  const id = textAt(body, 'id');
  const ticked = await host.admin('PUT', `${day}/waivers/${id}/arrival`, { arrived: true });
  expect(ticked.status).toBe(204);
  expect((await host.admin('GET', day)).body.walkIns).toMatchObject([{ arrival: { by: 'admin' } }]);
  await host.admin('PUT', `${pool}/waivers/${id}/booking`, { bookingId: 'BK-1001', bookingGuestId: 'G-3' });
  expect((await bookingNow()).guests[2]).toMatchObject({
    waiverId: id,
    arrival: { by: 'admin' },
  });
  await host.admin('PUT', `${day}/bookings/BK-1001/arrivals`, {
    bookingSystem: 'standard',
    guests: ['guest:G-3'],
    arrived: true,
  });
  const exported = await host.admin('GET', `${pool}/export?waiverId=${id}`);
  expect(exported.body.waivers[0].arrivals).toEqual([
    { day: '2027-06-12', arrivedAt: expect.any(String) },
    { day: '2027-06-12', arrivedAt: expect.any(String) },
  ]);
  const erasure = await host.admin('POST', `${pool}/erasures`, { waiverId: id });
  await until(async () => {
    const { body: state } = await host.admin('GET', `${pool}/erasures/${textAt(erasure.body, 'id')}`);
    return state.state === 'done' ? true : undefined;
  }, 'an erasure');
  // The stored booking went with the guest.
  await app('GET', '/v1/pools/rafting/bookings/BK-1001');
  expect((await bookingNow()).guests[2]).toMatchObject({ state: 'missing', arrival: null });
});

test('a sealed record says which of its guests are erased, and names them no more', async () => {
  const checkIn = await prepareCheckIn(startGuestDataHost());
  onTestFinished(() => checkIn.close());
  const guest = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(['1990-02-28', '2014-05-06']);
  await guest('POST', '/check-in/api/signings', signing);
  const path = `/v1/admin/pools/rafting/waivers/${signing.id}-2/signing`;
  const erasures = '/v1/admin/pools/rafting/erasures';
  await checkIn.host.admin('POST', erasures, { waiverId: `${signing.id}-1` });
  const after = await until(async () => {
    const answer = await checkIn.host.admin('GET', path);
    const found: { status: string }[] = answer.body.seal.findings;
    return found.some(({ status }) => status === 'erased') ? answer : undefined;
  }, 'an erasure in the chain');
  expect(after.body.guests).toEqual([{ name: null }, { name: 'Zoë Bäcker' }]);
  const gone = await checkIn.host.admin('GET', path.replace('-2/', '-1/'));
  expect([gone.status, gone.body.code]).toEqual([410, 'waiver_erased']);
});
