import { CannotDecrypt } from '@waiver-service/database';
import { describe, expect, test } from 'vitest';
import type { Store, StoredSession } from '../../src/index.ts';
import { installRequest, openInstalledStore, openTestStore, standard } from '../setup/open-test-store.ts';

test('omitted settings stay unchanged, and none is readable in the database', async () => {
  const { store, query } = await openTestStore();
  expect(await store.bookingSystems.get('standard')).toBeUndefined();
  await store.bookingSystems.put('standard', {
    baseUrl: 'https://booking.example/api',
    settings: { clientSecret: 'planted-secret', nested: { list: [1, null, 'é'] } },
  });
  await store.bookingSystems.put('standard', { baseUrl: 'https://other.example' });
  expect(await store.bookingSystems.get('standard')).toMatchObject({
    installName: 'standard',
    baseUrl: 'https://other.example',
    settings: { clientSecret: 'planted-secret', nested: { list: [1, null, 'é'] } },
  });
  await store.bookingSystems.put('standard', { settings: {} });
  expect(await store.bookingSystems.get('standard')).toMatchObject({
    baseUrl: 'https://other.example',
    settings: {},
  });
  await store.bookingSystems.put('standard', { baseUrl: null, settings: { clientSecret: 'planted-secret' } });
  await store.bookingSystems.put('a-first', {});
  expect(
    (await store.bookingSystems.list()).map(({ installName, baseUrl }) => [installName, baseUrl]),
  ).toEqual([
    ['a-first', null],
    ['standard', null],
  ]);
  const raw = JSON.stringify(await query('select * from booking_system'));
  expect(raw).toContain('v1:test:');
  expect(raw).not.toContain('planted-secret');
});

test('settings cannot be moved to another booking system', async () => {
  const { store, query } = await openTestStore();
  await store.bookingSystems.put('standard', { settings: { clientSecret: 's' } });
  await store.bookingSystems.put('standard-query', {});
  await query(`update booking_system set settings_encrypted = (select settings_encrypted from booking_system
    where install_name = 'standard') where install_name = 'standard-query'`);
  await expect(store.bookingSystems.get('standard-query')).rejects.toThrow(CannotDecrypt);
});

const leaseMs = 60_000;
const loss = { reason: 'the vendor says no', retryAfterMs: 60_000, maxRetryAfterMs: 90_000 };

const storedSession = (accessToken: string): StoredSession => ({
  session: {
    accessToken,
    expiresAt: new Date('2027-06-12T08:00:00.250Z'),
    refreshToken: `refresh-${accessToken}`,
    data: { company: 'company-of-the-account' },
  },
  issuedAt: new Date('2027-06-12T07:00:00Z'),
  openedWith: 'credentials-1',
});

async function setUp() {
  const opened = await openInstalledStore();
  const { sessions, authorizationRequests: requests } = opened.store;
  const [{ destination_id: destination } = {}] = await opened.query(
    'select destination_id from installation',
  );
  return { ...opened, destination: String(destination), sessions, requests };
}

async function begun({ sessions }: Pick<Store, 'sessions'>, destination: string, ownLeaseMs = leaseMs) {
  const { version } = await sessions.read(destination);
  const renewal = await sessions.begin({ destination, version, leaseMs: ownLeaseMs });
  if (renewal === undefined) throw new Error('the renewal could not be begun');
  return renewal;
}

const isHeld = async (query: (text: string) => Promise<Record<string, unknown>[]>) => {
  const [row] = await query('select coalesce(unauthorized_until > now(), false) as held from destination');
  return row?.held;
};

describe('a session', () => {
  test('is recorded with all of its parts, encrypted', async () => {
    const { sessions, store, destination, query } = await setUp();
    expect(await sessions.read(destination)).toEqual({ version: 0, stored: undefined, lost: undefined });
    const heard: unknown[] = [];
    sessions.onRecorded((recorded) => heard.push(recorded));
    expect(await sessions.record(await begun(store, destination), storedSession('token-1'))).toBe(true);
    await expect.poll(() => heard).toContain(destination);
    expect(await sessions.read(destination)).toEqual({
      version: 1,
      stored: storedSession('token-1'),
      lost: undefined,
    });
    const rows = await query('select * from booking_system_session');
    expect(JSON.stringify(rows)).not.toMatch(/token-1|company-of-the-account|credentials-1/);
  });

  test('of another installation does not open', async () => {
    const { sessions, store, destination, query } = await setUp();
    await sessions.record(await begun(store, destination), storedSession('token-1'));
    await store.installations.install({ ...installRequest, bookingSystem: 'other', madeBy: 'operator' });
    await query(`update booking_system_session set destination =
      (select destination_id from installation where booking_system = 'other')`);
    const [{ destination: moved } = {}] = await query('select destination from booking_system_session');
    await expect(sessions.read(String(moved))).rejects.toThrow(/does not open/);
  });

  test('is erased by an uninstall, and not recorded after it', async () => {
    const { sessions, store, destination, query } = await setUp();
    const renewal = await begun(store, destination);
    await store.installations.uninstall(standard);
    expect(await sessions.record(renewal, storedSession('token-1'))).toBe(false);
    expect(await sessions.begin({ destination, version: 0, leaseMs })).toBeUndefined();
    expect(await query('select * from booking_system_session')).toEqual([]);
  });
});

describe('a renewal', () => {
  test('is begun by one of many, for the version that it knows', async () => {
    const { sessions, destination } = await setUp();
    const begin = () => sessions.begin({ destination, version: 0, leaseMs });
    const renewals = await Promise.all(Array.from({ length: 8 }, begin));
    const [renewal, ...others] = renewals.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    if (renewal === undefined) throw new Error('nobody renews');
    await sessions.record(renewal, storedSession('token-1'));
    expect(await begin(), 'there is a newer version').toBeUndefined();
    expect(await sessions.begin({ destination, version: 1, leaseMs })).toMatchObject({
      followsInterrupted: false,
    });
  });

  test('that brought nothing leaves the former session, and the next one may begin', async () => {
    const { sessions, store, destination } = await setUp();
    await sessions.record(await begun(store, destination), storedSession('token-1'));
    await sessions.release(await begun(store, destination));
    expect(await sessions.read(destination)).toMatchObject({ version: 1, stored: storedSession('token-1') });
    expect(await begun(store, destination)).toMatchObject({ followsInterrupted: false });
  });

  test('whose lease has run out is taken over, which the next one learns, and records nothing any more', async () => {
    const { sessions, store, destination } = await setUp();
    const former = await begun(store, destination, 0);
    const next = await begun(store, destination);
    expect(next.followsInterrupted).toBe(true);
    expect(await sessions.record(former, storedSession('token-1'))).toBe(false);
    expect(await sessions.lose(former, loss)).toBe(false);
    await sessions.release(former);
    expect(await sessions.record(next, storedSession('token-2'))).toBe(true);
    expect((await sessions.read(destination)).stored?.session.accessToken).toBe('token-2');
  });

  test('that outlives its lease still records, unless it was taken over', async () => {
    const { sessions, store, destination } = await setUp();
    const renewal = await begun(store, destination, 0);
    expect(await sessions.record(renewal, storedSession('token-1'))).toBe(true);
  });
});

describe('a lost authorization', () => {
  test('says why and since when, waits longer each time, and holds messages', async () => {
    const { sessions, store, destination, query } = await setUp();
    await sessions.record(await begun(store, destination), storedSession('token-1'));
    expect(await sessions.lose(await begun(store, destination), loss)).toBe(true);
    const first = await sessions.read(destination);
    expect(first.lost?.reason).toBe('the vendor says no');
    expect(first.lost?.retryInMs).toBeGreaterThan(55_000);
    expect(first.lost?.retryInMs).toBeLessThanOrEqual(60_000);
    expect(first.stored, 'the former session').toEqual(storedSession('token-1'));
    expect(await isHeld(query)).toBe(true);

    expect(await sessions.lose(await begun(store, destination), { ...loss, reason: 'still' })).toBe(false);
    const second = await sessions.read(destination);
    expect(second.lost).toMatchObject({ since: first.lost?.since, reason: 'still' });
    expect(second.lost?.retryInMs).toBeGreaterThan(85_000);
    expect(second.lost?.retryInMs).toBeLessThanOrEqual(90_000);
  });

  test('ends with the next session', async () => {
    const { sessions, store, destination, query } = await setUp();
    await sessions.lose(await begun(store, destination), loss);
    await sessions.record(await begun(store, destination), storedSession('token-1'));
    expect(await sessions.read(destination)).toMatchObject({ lost: undefined });
    expect(await isHeld(query)).toBe(false);
    expect(await sessions.lose(await begun(store, destination), loss), 'it is lost again').toBe(true);
    expect((await sessions.read(destination)).lost?.retryInMs).toBeLessThanOrEqual(60_000);
  });

  test.each<[string, (store: Store, destination: string) => Promise<unknown>]>([
    ['an install', (store) => store.installations.install(installRequest)],
    ['a change of the settings', (store) => store.bookingSystems.put('standard', { settings: {} })],
    [
      'a change of the address',
      (store) => store.installations.setAddress('p1', 'standard', { environment: 'test' }),
    ],
  ])('is tried again at once after %s', async (_change, change) => {
    const { sessions, store, destination, query } = await setUp();
    await sessions.lose(await begun(store, destination), loss);
    await change(store, destination);
    expect((await sessions.read(destination)).lost).toMatchObject({ reason: loss.reason, retryInMs: 0 });
    expect(await isHeld(query)).toBe(false);
  });

  test('what an operator resumes is sent at once', async () => {
    const { sessions, store, destination, query } = await setUp();
    await sessions.lose(await begun(store, destination), loss);
    expect((await store.destinations.get(destination))?.heldUntil).toBeInstanceOf(Date);
    await store.destinations.resume(destination);
    expect(await isHeld(query)).toBe(false);
  });

  test('of another booking system is not touched', async () => {
    const { sessions, store, destination } = await setUp();
    await sessions.lose(await begun(store, destination), loss);
    await store.bookingSystems.put('other', { settings: {} });
    expect((await sessions.read(destination)).lost?.retryInMs).toBeGreaterThan(0);
  });
});

const visit = {
  bookingSystem: 'standard',
  state: 'the-state-of-the-visit',
  browser: 'the-browser',
  codeVerifier: 'the-verifier',
  maxAgeMs: 60_000,
};

test('a visit is taken once, by its state, its booking system and its browser, which are stored as nothing readable', async () => {
  const { requests, destination, query } = await setUp();
  await requests.begin({ ...visit, destination });
  const rows = JSON.stringify(await query('select * from authorization_request'));
  expect(rows).not.toMatch(/the-state|the-verifier|the-browser/);
  expect(rows).not.toContain(Buffer.from(visit.state).toString('hex'));

  expect(await requests.take('standard', { ...visit, state: 'another-state' })).toBeUndefined();
  expect(await requests.take('other', visit)).toBeUndefined();
  expect(await requests.take('standard', { ...visit, browser: 'another-browser' })).toBeUndefined();
  const taken = await Promise.all([requests.take('standard', visit), requests.take('standard', visit)]);
  expect(taken.filter((one) => one !== undefined)).toEqual([{ destination, codeVerifier: 'the-verifier' }]);
});

test('a visit that is too old is not taken', async () => {
  const { requests, destination } = await setUp();
  await requests.begin({ ...visit, destination, maxAgeMs: 0 });
  expect(await requests.take('standard', visit)).toBeUndefined();
});

test('a visit ends with the next one of its installation, and with the installation', async () => {
  const { requests, destination, store } = await setUp();
  await requests.begin({ ...visit, destination });
  await requests.begin({ ...visit, destination, state: 'the-next' });
  expect(await requests.take('standard', visit)).toBeUndefined();
  await store.installations.uninstall(standard);
  expect(await requests.take('standard', { ...visit, state: 'the-next' })).toBeUndefined();
});

test('an installation that needs an authorization says so from the beginning, until it has one', async () => {
  const { store } = await setUp();
  const other = { ...installRequest, bookingSystem: 'other', madeBy: 'operator' as const };
  const install = () => store.installations.install({ ...other, needsAuthorization: 'not authorized' });
  const listed = async () =>
    (await store.installations.list('p1')).find((one) => one.bookingSystem === 'other');
  await install();
  expect(await listed()).toMatchObject({
    status: 'needs_attention',
    attention: { since: expect.any(Date), reason: 'not authorized' },
  });
  const destination = String((await store.installations.get('p1', 'other'))?.destinationId);
  const renewal = await store.sessions.begin({ destination, version: 0, leaseMs: 60_000 });
  if (renewal === undefined) throw new Error('nobody opens a session');
  const session = { accessToken: 'token-1' };
  await store.sessions.record(renewal, { session, issuedAt: new Date(), openedWith: 'x' });
  await install();
  expect(await listed()).toMatchObject({ status: 'active' });
});
