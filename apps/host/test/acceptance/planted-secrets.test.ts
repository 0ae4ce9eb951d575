import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startBookingSystem,
  startWebhookReceiver,
} from '@waiver-service/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, CallOptions } from '../harness/call.ts';
import { textAt } from '../harness/connected-host.ts';
import { PlantedSecrets } from '../harness/planted-secrets.ts';
import { type Program, startProgram } from '../harness/program.ts';
import { rawCall } from '../harness/raw-call.ts';
import { until } from '../harness/test-host.ts';

const secrets = new PlantedSecrets();
const random = () => randomBytes(18).toString('base64url');
const planted = (name: string) => secrets.plant(name, `pl+nted/${random()}"é`);

const adminToken = secrets.plant('admin token', `admin.${random()}`);
const encryptionKey = randomBytes(32);
secrets.plantBytes('encryption key', encryptionKey);
const partnerKey = secrets.plant('partner apiKey', `partner+key/${random()}`);
const formerPartnerKey = secrets.plant('former partner apiKey', `former-key-${random()}`);
const information = {
  clientSecret: planted('account information'),
  nested: { list: [planted('nested information')] },
};
const headerValue = secrets.plant('webhook header value', `header/${random()}`);
const basicPassword = planted('Basic password');
const wrongKey = secrets.plant('wrong key', `wrong-${random()}`);

let dataDir: string;
let program: Program;
let system: SimulatedBookingSystem;
let receivers: SimulatedWebhookReceiver[];
/** What answers showed that they should not. */
const leaks: string[] = [];

/** A call whose answer may show these secrets and no others. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
  mayShow: string[] = [],
) {
  const answer = await program.call(method, path, body, options);
  const headers = JSON.stringify([...answer.headers]);
  const shown = [...secrets.shownIn(answer.text, mayShow), ...secrets.shownIn(headers)];
  leaks.push(...shown.map((name) => `${method} ${path.split('?')[0]} -> ${answer.status} shows ${name}`));
  return answer;
}

/** Takes a secret that an answer shows once. */
function take(name: string, answer: Answer, ...path: string[]): string {
  expect([name, answer.status < 300]).toEqual([name, true]);
  return secrets.plant(name, textAt(answer.body, ...path));
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waiver-secrets-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(dataDir, 0o711);
  system = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: partnerKey,
    pathShape: 'path',
    form: 'current',
  });
  receivers = await Promise.all([
    startWebhookReceiver({ auth: { type: 'header', name: 'X-Own', value: headerValue } }),
    startWebhookReceiver({ auth: { type: 'basic', username: 'waivers', password: basicPassword } }),
  ]);
  program = await startProgram({
    DATA_DIR: dataDir,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: `planted:${encryptionKey.toString('base64')}`,
    LOG_LEVEL: 'trace',
  });
}, 60_000);
afterAll(async () => {
  program.spawned.process.kill('SIGKILL');
  await Promise.all([system.close(), ...receivers.map((receiver) => receiver.close())]);
  rmSync(dataDir, { recursive: true, force: true });
});

const admin = '/v1/admin';
let installKey: string;
let poolKey: string;
let accessToken: string;

test('what is shown once is shown in that answer only', async () => {
  await call('PUT', `${admin}/booking-systems/standard`, { baseUrl: system.url });
  await call('PUT', `${admin}/pools/p`, { name: 'P' });
  accessToken = take('access token', await call('POST', `${admin}/pools/p/access-tokens`), 'token');
  const keys = await call('POST', `${admin}/booking-systems/standard/install-keys`);
  installKey = take('install key', keys, 'key');
  const install = (apiKey: string) =>
    call(
      'POST',
      '/integration/install/standard',
      { key: installKey, pool: 'p', accountId: 7, apiKey, ...information },
      { token: null },
    );
  take('former app pool key', await install(formerPartnerKey), 'apiKey');
  poolKey = take('app pool key', await install(partnerKey), 'apiKey');
  for (const [index, { url }] of receivers.entries()) {
    const auth =
      index === 0
        ? { type: 'header', name: 'X-Own', value: headerValue }
        : { type: 'basic', username: 'waivers', password: basicPassword };
    const answer = await call('POST', `${admin}/pools/p/webhooks`, {
      url,
      auth,
      properties: ['name'],
      signing: true,
    });
    const former = take(`signing secret ${index}`, answer, 'signingSecret');
    const rotated = await call('POST', `${admin}/pools/p/webhooks/${answer.body.id}/rotate-secret`);
    expect(take(`next signing secret ${index}`, rotated, 'signingSecret')).not.toBe(former);
    for (const path of ['', '/test'])
      await call(path === '' ? 'GET' : 'POST', `${admin}/pools/p/webhooks/${answer.body.id}${path}`);
  }
  expect(leaks).toEqual([]);
});

const reads = () => system.received.filter(({ route }) => route === 'read').length;

test('a partner that answers with the key it was sent', async () => {
  const echoes = [
    { kind: 'status', status: 500, body: `the key ${partnerKey} failed` },
    { kind: 'status', status: 401, body: { success: false, message: `key "${partnerKey}" is wrong` } },
    { kind: 'status', status: 403, body: { success: false, message: partnerKey } },
    { kind: 'status', status: 404, body: { success: false, message: `no booking for ${partnerKey}` } },
    { kind: 'status', status: 400, body: { [partnerKey]: [partnerKey], success: false } },
    { kind: 'status', status: 200, body: { id: partnerKey, status: partnerKey } },
    { kind: 'status', status: 200, body: `{"id": ${partnerKey}` },
    { kind: 'refusal', message: partnerKey },
  ] as const;
  for (const fault of echoes) {
    for (const [method, path, body] of [
      ['GET', '/v1/pools/p/bookings/BK-1001', undefined],
      ['POST', `${admin}/pools/p/installations/standard/test`, { bookingId: 'BK-1001' }],
    ] as const) {
      system.faults.next('read', fault);
      const before = reads();
      expect((await call(method, path, body)).status).toBeLessThan(505);
      expect(reads()).toBe(before + 1);
    }
    system.faults.next('guest-update', fault);
    for (const [index, receiver] of receivers.entries()) {
      const body = `you sent ${index === 0 ? headerValue : basicPassword}`;
      receiver.faults.next('webhook', { kind: 'status', status: 500, body });
    }
    await call('POST', '/v1/pools/p/waivers', { bookingId: 'BK-1001', answers: { name: 'Ada' } });
  }
  const booking = system.bookings.all[0];
  if (booking === undefined) throw new Error('the simulator has no booking');
  system.bookings.add({
    ...booking,
    id: 'BK-ECHO',
    notes: partnerKey,
    debug: { headers: { 'api-key': partnerKey } },
  });
  expect((await call('GET', '/v1/pools/p/bookings/BK-ECHO')).status).toBe(200);
  expect(leaks).toEqual([]);
});

test('a run with the app pool key in the address, and every list there is', async () => {
  const announced = await call(
    'POST',
    `/integration/webhook/standard?key=${poolKey}`,
    { id: 'BK-1002', pool: 'p' },
    { token: null },
  );
  expect(announced.status).toBe(200);
  await system.untilReceived('read', (reads) => reads.some(({ path }) => path.includes('BK-1002')));
  await until(async () => {
    const { body } = await call('GET', `${admin}/deliveries?state=waiting&limit=1`);
    return body.items.length === 0;
  }, 'everything to be sent');
  const { body: deliveries } = await call('GET', `${admin}/deliveries?limit=100`);
  expect(deliveries.items.length).toBeGreaterThan(20);
  for (const { id } of deliveries.items) await call('GET', `${admin}/deliveries/${id}`);
  const lists = [
    'booking-systems',
    'booking-systems/standard',
    'booking-systems/standard/install-keys',
    'destinations',
    'pools',
  ];
  const ofPool = ['pools/p', 'pools/p/access-tokens', 'pools/p/installations', 'pools/p/webhooks'];
  for (const path of [...lists, ...ofPool]) expect((await call('GET', `${admin}/${path}`)).status).toBe(200);
  for (const path of ['/metrics', '/openapi.json', '/docs', '/healthz', '/readyz', '/v1/pools/p/waivers']) {
    expect((await call('GET', path)).status).toBe(200);
  }
  expect(leaks).toEqual([]);
});

test('wrong keys, malformed bodies, addresses that are refused, and secrets in places where they do not belong', async () => {
  const json = { 'content-type': 'application/json' };
  for (const key of [wrongKey, poolKey, accessToken]) {
    await call(
      'POST',
      '/integration/install/standard',
      { key, pool: 'p', accountId: 7, apiKey: partnerKey },
      { token: null },
    );
    await call(
      'POST',
      `/integration/webhook/standard?key=${encodeURIComponent(key)}`,
      { id: 'BK-1002' },
      { token: null },
    );
    await call('GET', '/v1/pools/p/waivers', undefined, { token: key });
  }
  for (const body of [
    `{"key":"${installKey}","apiKey":"${partnerKey}`,
    `${installKey}`,
    JSON.stringify({
      key: installKey,
      pool: { a: poolKey },
      accountId: [partnerKey],
      apiKey: { partnerKey },
    }),
    JSON.stringify({
      url: `https://x:${basicPassword}@127.0.0.1/`,
      auth: { type: headerValue, value: headerValue },
    }),
    JSON.stringify({ url: `https://x:${wrongKey}@example.com/?key=${wrongKey}`, auth: { type: 'none' } }),
    JSON.stringify({
      baseUrl: `https://u:${wrongKey}@127.0.0.1/?key=${wrongKey}`,
      settings: { x: wrongKey },
    }),
    JSON.stringify({ x: partnerKey, answers: { name: [headerValue] } }),
  ]) {
    for (const path of [
      '/integration/install/standard',
      '/integration/webhook/standard',
      '/v1/pools/p/waivers',
      `${admin}/pools/p/webhooks`,
    ]) {
      await call('POST', path, body, { headers: json });
    }
    await call('PUT', `${admin}/booking-systems/standard`, body, { headers: json });
    await call('PUT', `${admin}/pools/p/installations/standard`, body, { headers: json });
  }
  for (const secret of [poolKey, accessToken, installKey]) {
    await call('GET', `/${secret}`);
    await call('GET', `/v1/pools/${secret}/waivers`, undefined, { token: wrongKey });
  }
  for (const secret of [adminToken, poolKey, accessToken, installKey, wrongKey].map(encodeURIComponent)) {
    for (const name of [
      'key',
      'Key',
      'api-key',
      'api_key',
      'apiKey',
      'token',
      'access_token',
      'secret',
      'k%65y',
      'x',
    ]) {
      await call('GET', `/nowhere?${name}=${secret}`);
      await call('GET', `/v1/pools/p/waivers?${name}=${secret}`);
    }
    await rawCall(
      program.url,
      `GET /?key=${secret} HTTP/1.1\r\nAuthorization: Bearer ${secret}\r\nX: \0\r\n\r\n`,
    );
  }
  expect(leaks).toEqual([]);
});

test('nothing of it stands in the log, on standard output or in the data directory', async () => {
  expect(await program.stop()).toBe(0);
  const log = program.spawned.stderr();
  expect(log.split('\n').length).toBeGreaterThan(100);
  expect(log).toContain('"level":"info"');
  const linesThatShow = log
    .split('\n')
    .flatMap((line) => secrets.shownIn(line).map((name) => `${name}: ${line.slice(0, 300)}`));
  expect(linesThatShow).toEqual([]);
  expect(secrets.shownIn(program.spawned.stdout())).toEqual([]);
  const { files, shown } = await secrets.shownBelow(dataDir);
  expect(files).toBeGreaterThan(500);
  expect(shown).toEqual([]);
  expect(secrets.names.length).toBeGreaterThanOrEqual(16);
});

test('the search finds what is there: a value that is no secret stands in the database', async () => {
  const found = new PlantedSecrets();
  found.plant('an answer', 'BK-ECHO');
  expect((await found.shownBelow(dataDir)).shown).not.toEqual([]);
});
