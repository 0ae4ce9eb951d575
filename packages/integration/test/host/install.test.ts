import { startTestHost, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let host: TestHost;
let installKey: string;
let otherSystemsKey: string;

beforeAll(async () => {
  host = await startTestHost();
  ({ installKey } = await host.preparePool('north'));
  otherSystemsKey = (await host.preparePool('south', 'standard-query')).installKey;
});
afterAll(() => host.close());

let addresses = 0;
/** Calls as a booking system does, without a token. */
const call = (action: 'install' | 'uninstall', body: unknown, name = 'standard') =>
  host.call('POST', `/integration/${action}/${name}`, body, { token: null });
const account = { accountId: 17, apiKey: 'partner-key' };
const installBody = (changes: object = {}) => ({ key: installKey, pool: 'north', ...account, ...changes });
const poolNamed = async () => {
  addresses += 1;
  const pool = `pool-${addresses}`;
  await host.call('PUT', `/v1/admin/pools/${pool}`, { name: pool });
  return pool;
};

test('installing answers the webhook address and a new app pool key', async () => {
  const { status, body } = await call('install', installBody());
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    message: expect.stringMatching(/./),
    webhookUrl: `${host.url}/integration/webhook/standard`,
    apiKey: expect.stringMatching(/^wsp_[\w-]{43}$/),
  });
});

test('another account is a 409 until the first is uninstalled', async () => {
  const pool = await poolNamed();
  await call('install', installBody({ pool }));
  expect(await call('install', installBody({ pool, accountId: 18 }))).toMatchObject({
    status: 409,
    body: { code: 'other_account' },
  });
  expect(await call('uninstall', installBody({ pool, accountId: 18 }))).toMatchObject({
    status: 403,
    body: { code: 'other_account' },
  });
  // The partner may have changed its own key since.
  expect(await call('uninstall', installBody({ pool, apiKey: 'rotated' }))).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect((await call('install', installBody({ pool, accountId: 18 }))).status).toBe(200);
});

test('uninstalling ends the app pool key at once, and twice is fine', async () => {
  const pool = await poolNamed();
  const { body } = await call('install', installBody({ pool }));
  await call('uninstall', installBody({ pool }));
  const inbound = await host.call(
    'POST',
    '/integration/webhook/standard',
    { id: 'b1', pool },
    { token: null, headers: { 'api-key': body.apiKey } },
  );
  expect(inbound.status).toBe(401);
  const again = await call('uninstall', installBody({ pool }));
  expect(again).toMatchObject({
    status: 200,
    body: { success: true, message: expect.stringContaining('was not installed') },
  });
});

describe('who does not have the key learns nothing', () => {
  test.each([
    ['no key', { key: undefined }],
    ['a wrong key', { key: 'wsi_wrong' }],
    ['a key that is no text', { key: 5 }],
    ['a wrong key and nothing else that is right', { key: 'wrong', pool: 5, accountId: null, apiKey: [] }],
    ['a wrong key and a text that cannot be stored', { key: 'wrong', pool: '\u0000' }],
    ['a wrong key and an unknown pool', { key: 'wrong', pool: 'nowhere' }],
  ])('%s', async (_what, changes) => {
    // Each from a fresh host: wrong keys are counted by address.
    const answer = await call('install', installBody(changes), 'standard');
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  test('the key of one booking system installs nothing for another', async () => {
    expect(await call('install', installBody({ key: otherSystemsKey }))).toMatchObject({ status: 401 });
    expect(await call('install', installBody(), 'standard-query')).toMatchObject({ status: 401 });
    const right = await call('install', installBody({ key: otherSystemsKey }), 'standard-query');
    expect(right.status).toBe(200);
  });
});

describe('a malformed body names each field', () => {
  test.each<[object, string]>([
    [{ pool: undefined }, 'pool'],
    [{ pool: '' }, 'pool'],
    [{ pool: 'x'.repeat(129) }, 'pool'],
    [{ accountId: undefined }, 'accountId'],
    [{ accountId: '' }, 'accountId'],
    [{ accountId: true }, 'accountId'],
    [{ apiKey: undefined }, 'apiKey'],
    [{ apiKey: 'line\nbreak' }, 'apiKey'],
    [{ note: 'half \ud800' }, 'note'],
  ])('%j', async (changes, path) => {
    const { status, body } = await call('install', installBody(changes));
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
  });

  test('all of them at once', async () => {
    const { body } = await call('install', { key: installKey });
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(['pool', 'accountId', 'apiKey']);
  });

  test('an account id that JSON cannot carry exactly', async () => {
    const text = JSON.stringify(installBody()).replace('"accountId":17', '"accountId":9007199254740993');
    const { status, body } = await host.call('POST', '/integration/install/standard', text, {
      token: null,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, body.errors[0].path]).toEqual([400, 'accountId']);
  });
});

test('an unknown booking system or pool is a helpful 404', async () => {
  const unknown = await call('install', installBody(), 'no-such-system');
  expect(unknown).toMatchObject({ status: 404, body: { code: 'unknown_booking_system' } });
  expect(unknown.body.message).toContain('standard, standard-query');
  expect(await call('install', installBody({ pool: 'nowhere' }))).toMatchObject({
    status: 404,
    body: { code: 'unknown_pool' },
  });
  expect(await call('uninstall', installBody({ pool: 'nowhere' }))).toMatchObject({
    status: 404,
    body: { code: 'unknown_pool' },
  });
});

test('a body over 64 KiB is a 413, one that is not JSON a 415', async () => {
  expect(await call('install', installBody({ note: 'x'.repeat(65 * 1024) }))).toMatchObject({ status: 413 });
  const form = await host.call('POST', '/integration/install/standard', 'key=x', {
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(form.status).toBe(415);
});

test('no key and no account is in the log', async () => {
  await call(
    'install',
    installBody({ pool: await poolNamed(), apiKey: 'planted-partner-key', secretNote: 'planted-note' }),
  );
  const log = host.lines.join('');
  for (const secret of ['planted-partner-key', 'planted-note', installKey]) expect(log).not.toContain(secret);
});
