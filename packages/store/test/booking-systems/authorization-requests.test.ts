import { expect, test } from 'vitest';
import { installRequest, openInstalledStore } from '../setup/installed-store.ts';

const visit = {
  bookingSystem: 'standard',
  state: 'the-state-of-the-visit',
  browser: 'the-browser',
  codeVerifier: 'the-verifier',
  maxAgeMs: 60_000,
};

async function setUp() {
  const opened = await openInstalledStore();
  const [{ destination_id } = {}] = await opened.query('select destination_id from installation');
  const destination = String(destination_id);
  return { ...opened, destination, requests: opened.store.authorizationRequests };
}

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
  await store.installations.uninstall({ bookingSystem: 'standard', pool: 'p1' });
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
