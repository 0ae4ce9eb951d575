import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../harness/connected-host.ts';
import { keepSigning, type SigningLoad } from '../harness/keep-signing.ts';
import { type StrictPartner, startStrictPartner } from '../harness/strict-partner.ts';
import { startTestHost, type TestHost, until } from '../harness/test-host.ts';

// docs/operating.md, "Every other secret": add the new one, switch its users, then remove the former one.

const pool = '/v1/admin/pools/p';
let hosts: readonly [TestHost, TestHost];
let partner: StrictPartner;
let signing: SigningLoad;

/** The secrets that callers of the service use at the moment. */
const used = { accessToken: '', credential: '', installKey: '', appPoolKey: '' };
/** The calls beside the signing that did not succeed. */
const failed: unknown[] = [];
/** The calls under way, each with the secret that was used when it began. */
const underWay = new Set<Promise<unknown>>();
let isOver = false;
let reading: Promise<void>;

async function admin(method: string, path: string, body?: unknown) {
  const answer = await hosts[0].call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

const callBySystem = (action: string, body: object, key: string) =>
  hosts[1].call('POST', `/integration/${action}/standard`, body, {
    token: null,
    headers: { 'api-key': key },
  });
const install = (key: string, apiKey: string) =>
  callBySystem('install', { key, pool: 'p', accountId: 4711, apiKey }, '');
const announce = (key: string) => callBySystem('webhook', { id: 'B-1', pool: 'p' }, key);

async function track<T>(call: Promise<T>): Promise<T> {
  underWay.add(call);
  try {
    return await call;
  } finally {
    underWay.delete(call);
  }
}

/** Programs with a credential, and the booking system with its app pool key. */
async function keepCalling(): Promise<void> {
  while (!isOver) {
    for (const host of hosts) {
      const answers = [
        await track(host.call('GET', '/v1/admin/destinations', undefined, { token: used.credential })),
        await track(announce(used.appPoolKey)),
      ];
      failed.push(...answers.filter(({ status }) => status >= 300).map(({ status, text }) => [status, text]));
    }
    await delay(20);
  }
}

/** Time in which everybody calls with what they use now, and messages arrive; no call with a former secret is left. */
async function letPass(): Promise<void> {
  await Promise.allSettled(underWay);
  const before = partner.taken.length;
  await until(() => partner.taken.length > before + 10, 'messages to arrive');
  await delay(100);
}

beforeAll(async () => {
  partner = await startStrictPartner();
  partner.accountKeys.add('key-1');
  partner.headers.add('header-1');
  const first = await startTestHost({ DRAIN_TIME: '0s' });
  hosts = [first, await startTestHost({ DATABASE_URL: first.databaseUrl, DRAIN_TIME: '0s' })];
  const { installKey, accessToken } = await first.preparePool('p');
  await admin('PUT', '/v1/admin/booking-systems/standard', { baseUrl: `${partner.url}/system` });
  const installed = await install(installKey, 'key-1');
  const webhook = await admin('POST', `${pool}/webhooks`, {
    url: `${partner.url}/webhook`,
    auth: { type: 'header', name: 'X-Secret', value: 'header-1' },
    signing: true,
  });
  partner.signingSecrets.set('/webhook', [webhook.signingSecret]);
  const { token } = await admin('POST', '/v1/admin/credentials', { name: 'Reader', role: 'owner' });
  Object.assign(used, { installKey, accessToken, credential: token, appPoolKey: installed.body.apiKey });
  signing = keepSigning((method, path, body, turn) =>
    track((hosts[turn % 2] ?? first).call(method, path, body, { token: used.accessToken })),
  );
  reading = keepCalling();
});
afterAll(async () => {
  isOver = true;
  await reading;
  await hosts[1].close();
  await hosts[0].close();
  await partner.close();
});

/** The id of the oldest of a list. */
const oldestOf = async (path: string) => {
  const { items } = await admin('GET', path);
  return textAt(
    items.toSorted((a: { createdAt: string }, b: { createdAt: string }) =>
      a.createdAt < b.createdAt ? -1 : 1,
    ),
    0,
    'id',
  );
};

test('an access token', async () => {
  const former = used.accessToken;
  const formerId = await oldestOf(`${pool}/access-tokens`);
  used.accessToken = (await admin('POST', `${pool}/access-tokens`)).token;
  await letPass();
  await admin('DELETE', `${pool}/access-tokens/${formerId}`);
  const answer = await hosts[1].call('GET', '/v1/pools/p/waivers', undefined, { token: former });
  expect(answer.status).toBe(401);
});

test('a credential', async () => {
  const former = used.credential;
  const formerId = await oldestOf('/v1/admin/credentials');
  used.credential = (await admin('POST', '/v1/admin/credentials', { name: 'Reader', role: 'owner' })).token;
  await letPass();
  await admin('DELETE', `/v1/admin/credentials/${formerId}`);
  const answer = await hosts[1].call('GET', '/v1/admin/me', undefined, { token: former });
  expect(answer.status).toBe(401);
});

test('an install key, the account’s key and the app pool key', async () => {
  const keys = '/v1/admin/booking-systems/standard/install-keys';
  const formerId = await oldestOf(keys);
  const { key } = await admin('POST', keys);
  partner.accountKeys.add('key-2');
  const { status, body } = await install(key, 'key-2');
  expect(status).toBe(200);
  expect((await announce(used.appPoolKey)).status).toBe(200);
  used.appPoolKey = body.apiKey;
  await letPass();
  partner.accountKeys.delete('key-1');
  await admin('DELETE', `${keys}/${formerId}`);
  expect((await install(used.installKey, 'key-2')).status).toBe(401);
  await letPass();
});

test('a webhook’s signing secret and header', async () => {
  const [{ id }] = (await admin('GET', `${pool}/webhooks`)).items;
  const { signingSecret } = await admin('POST', `${pool}/webhooks/${id}/rotate-secret`);
  await letPass();
  partner.signingSecrets.set('/webhook', [signingSecret]);
  partner.headers.add('header-2');
  await admin('PATCH', `${pool}/webhooks/${id}`, {
    auth: { type: 'header', name: 'X-Secret', value: 'header-2' },
  });
  await letPass();
  partner.headers.delete('header-1');
  await letPass();
});

test('an alert’s signing secret and header, by another alert', async () => {
  const alert = (value: string) => ({
    name: value,
    url: `${partner.url}/alert`,
    auth: { type: 'header', name: 'X-Secret', value },
    signing: true,
  });
  const former = await admin('POST', '/v1/admin/alerts', alert('header-2'));
  partner.signingSecrets.set('/alert', [former.signingSecret]);
  partner.headers.add('header-3');
  const current = await admin('POST', '/v1/admin/alerts', alert('header-3'));
  partner.signingSecrets.set('/alert', [former.signingSecret, current.signingSecret]);
  for (const { id } of [former, current])
    expect(await admin('POST', `/v1/admin/alerts/${id}/test`)).toMatchObject({ ok: true });
  await admin('DELETE', `/v1/admin/alerts/${former.id}`);
  partner.signingSecrets.set('/alert', [current.signingSecret]);
  expect(await admin('POST', `/v1/admin/alerts/${current.id}/test`)).toMatchObject({ ok: true });
});

test('none of it made a request or a message fail', async () => {
  await signing.end();
  isOver = true;
  await reading;
  expect(failed).toEqual([]);
  expect([signing.refusals, signing.broken()]).toEqual([[], 0]);
  const isIdle = async () => {
    const { items } = await admin('GET', '/v1/admin/destinations');
    return items.every(({ waiting }: { waiting: number }) => waiting === 0);
  };
  await until(isIdle, 'everything to be sent');
  expect(partner.refused).toEqual([]);
  expect(new Set(partner.taken)).toEqual(new Set(['/system', '/webhook', '/alert']));
});
