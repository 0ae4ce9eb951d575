import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebhookReceiver } from '@waiver-service/simulator';
import type { Answer, CallOptions } from '@waiver-service/testing';
import { rawCall, startSystemFor, textAt, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantedSecrets } from '../harness/planted-secrets.ts';
import { startProgram } from '../harness/program.ts';

/** Secrets that are there before the host is; some with characters that JSON and addresses write otherwise. */
function plantSecrets() {
  const secrets = new PlantedSecrets();
  const random = () => randomBytes(18).toString('base64url');
  const plant = (name: string, start: string, end = '') => secrets.plant(name, `${start}${random()}${end}`);
  const encryptionKey = randomBytes(32);
  secrets.plantBytes('encryption key', encryptionKey);
  return {
    secrets,
    encryptionKey,
    adminToken: plant('admin token', 'admin.'),
    partnerKey: plant('partner apiKey', 'partner+key/'),
    formerPartnerKey: plant('former partner apiKey', 'former-key-'),
    information: {
      clientSecret: plant('account information', 'client+/', '"é'),
      nested: { list: [plant('nested information', 'nested+/', '"é')] },
    },
    headerValue: plant('webhook header value', 'header/'),
    basicPassword: plant('Basic password', 'password+/', '"é'),
    wrongKey: plant('wrong key', 'wrong-'),
  };
}

/**
 * A host that logs everything, with its database, secrets and partners: a booking system
 * and two receivers, one with a custom header and one with Basic Auth.
 */
async function startPlantedHost() {
  const planted = plantSecrets();
  const { secrets, adminToken, encryptionKey, partnerKey, headerValue, basicPassword } = planted;
  const dataDir = mkdtempSync(join(tmpdir(), 'waiver-secrets-'));
  // The database's user must be able to pass through, where the tests run as root.
  chmodSync(dataDir, 0o711);
  const [system, headerReceiver, basicReceiver] = await Promise.all([
    startSystemFor('standard', { apiKey: partnerKey }),
    startWebhookReceiver({ auth: { type: 'header', name: 'X-Own', value: headerValue } }),
    startWebhookReceiver({ auth: { type: 'basic', username: 'waivers', password: basicPassword } }),
  ]);
  const program = await startProgram({
    DATA_DIR: dataDir,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: `planted:${encryptionKey.toString('base64')}`,
    LOG_LEVEL: 'trace',
  });
  const leaks: string[] = [];
  return {
    ...planted,
    dataDir,
    program,
    system,
    receivers: [
      {
        receiver: headerReceiver,
        secret: headerValue,
        auth: { type: 'header', name: 'X-Own', value: headerValue },
      },
      {
        receiver: basicReceiver,
        secret: basicPassword,
        auth: { type: 'basic', username: 'waivers', password: basicPassword },
      },
    ],
    /** Secrets that responses exposed. */
    leaks,
    /** A call whose answer must show no secret that is planted by then. */
    async call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
      const answer = await program.call(method, path, body, options);
      const shown = secrets.shownIn(answer.text + JSON.stringify([...answer.headers]));
      leaks.push(...shown.map((name) => `${method} ${path.split('?')[0]} -> ${answer.status} shows ${name}`));
      return answer;
    },
    /** Takes a secret that an answer shows once: no other may show it from now on. */
    take: (name: string, { body }: Answer, field: string): string => secrets.plant(name, textAt(body, field)),
    async close() {
      await program.stop();
      await Promise.all([system.close(), headerReceiver.close(), basicReceiver.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type PlantedHost = Awaited<ReturnType<typeof startPlantedHost>>;

const admin = '/v1/admin';
const anyone = { token: null };

let host: PlantedHost;
let call: PlantedHost['call'];
let installKey: string;
let poolKey: string;
let accessToken: string;

beforeAll(async () => {
  host = await startPlantedHost();
  ({ call } = host);
});
afterAll(() => host.close());

/** Text that is sent as it is, marked as JSON. */
const sendText = (method: string, path: string, text: string) =>
  call(method, path, text, { headers: { 'content-type': 'application/json' } });

test('secrets that are shown once are in that response only', async () => {
  const { take } = host;
  await call('PUT', `${admin}/booking-systems/standard`, { baseUrl: host.system.url });
  await call('PUT', `${admin}/pools/p`, { name: 'P' });
  accessToken = take('access token', await call('POST', `${admin}/pools/p/access-tokens`), 'token');
  installKey = take(
    'install key',
    await call('POST', `${admin}/booking-systems/standard/install-keys`),
    'key',
  );
  const install = (apiKey: string) => {
    const body = { ...host.information, key: installKey, pool: 'p', accountId: 7, apiKey };
    return call('POST', '/integration/install/standard', body, anyone);
  };
  take('former app pool key', await install(host.formerPartnerKey), 'apiKey');
  poolKey = take('app pool key', await install(host.partnerKey), 'apiKey');
  for (const { receiver, auth } of host.receivers) {
    const webhook = { url: receiver.url, auth, properties: ['name'], signing: true };
    const created = await call('POST', `${admin}/pools/p/webhooks`, webhook);
    const path = `${admin}/pools/p/webhooks/${created.body.id}`;
    const former = take(`signing secret of ${auth.type}`, created, 'signingSecret');
    const rotated = await call('POST', `${path}/rotate-secret`);
    expect(take(`next signing secret of ${auth.type}`, rotated, 'signingSecret')).not.toBe(former);
    expect((await call('GET', path)).status).toBe(200);
    expect((await call('POST', `${path}/test`)).status).toBe(200);
  }
  expect(host.leaks).toEqual([]);
});

test('a partner that answers with the key it was sent', async () => {
  const { system, partnerKey } = host;
  const status = (code: number, body: unknown) => ({ kind: 'status', status: code, body }) as const;
  const reads = () => system.received.filter(({ route }) => route === 'read').length;
  for (const fault of [
    status(500, `the key ${partnerKey} failed`),
    status(401, { success: false, message: `key "${partnerKey}" is wrong` }),
    status(403, { success: false, message: partnerKey }),
    status(404, { success: false, message: `no booking for ${partnerKey}` }),
    status(400, { [partnerKey]: [partnerKey], success: false }),
    status(200, { id: partnerKey, status: partnerKey }),
    status(200, `{"id": ${partnerKey}`),
    { kind: 'refusal', message: partnerKey } as const,
  ]) {
    const before = reads();
    system.faults.next('read', fault, 2);
    await call('GET', '/v1/pools/p/bookings/BK-1001');
    await call('POST', `${admin}/pools/p/installations/standard/test`, { bookingId: 'BK-1001' });
    expect(reads()).toBe(before + 2);
    system.faults.next('guest-update', fault);
    for (const { receiver, secret } of host.receivers) {
      receiver.faults.next('webhook', status(500, `you sent ${secret}`));
    }
    await call('POST', '/v1/pools/p/waivers', { bookingId: 'BK-1001', answers: { name: 'Ada' } });
  }
  const booking = system.bookings.get('BK-1001');
  if (booking === undefined) throw new Error('the simulator has no BK-1001');
  system.bookings.add({ ...booking, id: 'BK-ECHO', notes: partnerKey, debug: { headers: [partnerKey] } });
  expect((await call('GET', '/v1/pools/p/bookings/BK-ECHO')).status).toBe(200);
  expect(host.leaks).toEqual([]);
});

test('a run with the app pool key in the address, and every list there is', async () => {
  const announcement = { id: 'BK-1002', pool: 'p' };
  const announced = await call('POST', `/integration/webhook/standard?key=${poolKey}`, announcement, anyone);
  expect(announced.status).toBe(200);
  await host.system.untilReceived('read', (reads) => reads.some(({ path }) => path.includes('BK-1002')));
  await until(async () => {
    const { body } = await call('GET', `${admin}/destinations`);
    return body.items.every((item: { waiting: number }) => item.waiting === 0);
  }, 'everything to be sent');
  const { body: deliveries } = await call('GET', `${admin}/deliveries?limit=100`);
  expect(deliveries.items.length).toBeGreaterThan(20);
  for (const { id } of deliveries.items) await call('GET', `${admin}/deliveries/${id}`);
  const lists =
    'booking-systems booking-systems/standard booking-systems/standard/install-keys destinations pools';
  const ofPool = 'pools/p pools/p/access-tokens pools/p/installations pools/p/webhooks';
  const others = '/metrics /openapi.json /docs /healthz /readyz /v1/pools/p/waivers';
  const paths = [...`${lists} ${ofPool}`.split(' ').map((path) => `${admin}/${path}`), ...others.split(' ')];
  for (const path of paths) expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  expect(host.leaks).toEqual([]);
});

test('wrong keys, malformed bodies and addresses that are refused', async () => {
  const { wrongKey, partnerKey, headerValue, basicPassword } = host;
  for (const key of [wrongKey, poolKey, accessToken]) {
    const body = { key, pool: 'p', accountId: 7, apiKey: partnerKey };
    await call('POST', '/integration/install/standard', body, anyone);
    await call('POST', `/integration/webhook/standard?key=${key}`, { id: 'BK-1002' }, anyone);
    await call('GET', '/v1/pools/p/waivers', undefined, { token: key });
  }
  const bodies: readonly object[] = [
    { key: installKey, pool: { a: poolKey }, accountId: [partnerKey], apiKey: { partnerKey } },
    { url: `https://x:${basicPassword}@127.0.0.1/`, auth: { type: headerValue, value: headerValue } },
    { url: `https://x:${wrongKey}@example.com/?key=${wrongKey}`, auth: { type: 'none' } },
    { baseUrl: `https://u:${wrongKey}@127.0.0.1/?key=${wrongKey}`, settings: { x: wrongKey } },
    { x: partnerKey, answers: { name: [headerValue] } },
  ];
  const broken = [`{"key":"${installKey}","apiKey":"${partnerKey}`, installKey];
  for (const text of [...broken, ...bodies.map((body) => JSON.stringify(body))]) {
    for (const what of ['install', 'webhook']) await sendText('POST', `/integration/${what}/standard`, text);
    for (const path of ['/v1/pools/p/waivers', `${admin}/pools/p/webhooks`])
      await sendText('POST', path, text);
    for (const path of ['booking-systems', 'pools/p/installations']) {
      expect((await sendText('PUT', `${admin}/${path}/standard`, text)).status).toBe(400);
    }
  }
  expect(host.leaks).toEqual([]);
});

test('keys and tokens in addresses where they do not belong', async () => {
  const { adminToken, wrongKey } = host;
  for (const secret of [poolKey, accessToken, installKey]) {
    await call('GET', `/${secret}`);
    await call('GET', `/v1/pools/${secret}/waivers`, undefined, { token: wrongKey });
  }
  const names = 'key Key api-key api_key apiKey token access_token secret k%65y x'.split(' ');
  for (const secret of [adminToken, poolKey, accessToken, installKey, wrongKey]) {
    for (const name of names) {
      expect((await call('GET', `/nowhere?${name}=${secret}`)).status).toBe(404);
      await call('GET', `/v1/pools/p/waivers?${name}=${secret}`);
    }
    const garbage = `GET /?key=${secret} HTTP/1.1\r\nAuthorization: Bearer ${secret}\r\nX: \0\r\n\r\n`;
    expect((await rawCall(host.program.url, garbage)).status).toBe(400);
  }
  expect(host.leaks).toEqual([]);
});

test('no secret is in the log, on standard output or in the data directory', async () => {
  const { program, secrets, dataDir } = host;
  expect(await program.stop()).toBe(0);
  const lines = program.spawned.stderr().split('\n');
  expect(lines.length).toBeGreaterThan(100);
  const linesThatShow = lines.filter((line) => secrets.shownIn(line).length > 0);
  expect(linesThatShow).toEqual([]);
  expect(secrets.shownIn(program.spawned.stdout())).toEqual([]);
  const { files, shown } = await secrets.shownBelow(dataDir);
  expect(files).toBeGreaterThan(500);
  expect(shown).toEqual([]);
  expect(secrets.names.length).toBeGreaterThanOrEqual(16);
});

test('the search works: it finds a booking’s id, which is no secret, in the database', async () => {
  const found = new PlantedSecrets();
  found.plant('the id of a booking', 'BK-ECHO');
  expect((await found.shownBelow(host.dataDir)).shown).not.toEqual([]);
});
