import { wrongKeysPerMinute } from '@waiver-service/integration/testing';
import { wrongTokensPerMinute } from '@waiver-service/people/testing';
import type { Answer } from '@waiver-service/testing';
import { adminToken, type TestHost } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPeopleHost } from '../setup/people-host.ts';

let host: TestHost;
let installKey: string;
let poolKey: string;
let accessToken: string;
let addresses = 0;
/** An address that no test has called from. */
const newAddress = () => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

beforeAll(async () => {
  host = await startPeopleHost({ settings: { trustProxy: 1 } });
  ({ installKey, accessToken } = await host.preparePool('shared'));
  poolKey = (await install(installKey, newAddress())).body.apiKey;
});
afterAll(() => host?.close());

const from = (address: string) => ({ token: null, headers: { 'x-forwarded-for': address } });
const integration = (action: 'install' | 'uninstall', name = 'standard') => {
  const path = `/integration/${action}/${name}`;
  return (key: string, address: string) =>
    host.call('POST', path, { key, pool: 'shared', accountId: 1, apiKey: 'k' }, from(address));
};
const install = integration('install');
const notice = { id: 'BK-1', pool: 'shared' };
const inbound = '/integration/webhook/standard';

type CallWith = (key: string, address: string) => Promise<Answer>;

const places: Record<string, { call: CallWith; right: () => string; limit: number }> = {
  install: { call: install, right: () => installKey, limit: wrongKeysPerMinute },
  'inbound, key in the header': {
    call: (key, address) =>
      host.call('POST', inbound, notice, {
        token: null,
        headers: { 'x-forwarded-for': address, 'api-key': key },
      }),
    right: () => poolKey,
    limit: wrongKeysPerMinute,
  },
  'inbound, key in the query': {
    call: (key, address) => host.call('POST', `${inbound}?key=${key}`, notice, from(address)),
    right: () => poolKey,
    limit: wrongKeysPerMinute,
  },
  'inbound, key in the body': {
    call: (key, address) => host.call('POST', inbound, { ...notice, key }, from(address)),
    right: () => poolKey,
    limit: wrongKeysPerMinute,
  },
  'an access token': {
    call: (key, address) =>
      host.call('GET', '/v1/pools/shared/waivers', undefined, {
        token: key,
        headers: { 'x-forwarded-for': address },
      }),
    right: () => accessToken,
    limit: wrongTokensPerMinute,
  },
  'the admin token': {
    call: (key, address) =>
      host.call('GET', '/v1/admin/pools', undefined, {
        token: key,
        headers: { 'x-forwarded-for': address },
      }),
    right: () => adminToken,
    limit: wrongTokensPerMinute,
  },
};

/** Sends so many wrong keys from one address, all within one minute of the throttle; a slow machine may try again. */
async function failFrom(call: CallWith, keyOf: (failure: number) => string, count: number): Promise<string> {
  for (;;) {
    const address = newAddress();
    const startedAt = performance.now();
    const statuses: number[] = [];
    for (let begun = 0; begun < count; begun += 20) {
      const batch = Array.from({ length: Math.min(20, count - begun) }, (_, place) => begun + place);
      const answers = await Promise.all(batch.map((failure) => call(keyOf(failure), address)));
      statuses.push(...answers.map(({ status }) => status));
    }
    if (performance.now() - startedAt > 40_000) continue;
    expect(new Set(statuses)).toEqual(new Set([401]));
    return address;
  }
}

describe.each(Object.entries(places))('%s', (_, { call, right, limit }) => {
  test('one wrong key is a 401 up to the limit, then a 429; a right one from there is let in', async () => {
    const address = await failFrom(call, () => 'wrong', limit);
    const refused = await call('wrong', address);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_failures' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call('wrong-too', address)).status).toBe(401);
    expect((await call(right(), address)).status).toBe(200);
    expect((await call('wrong', newAddress())).status).toBe(401);
  });
});

test('a valid key works whatever others sent from its address; booking systems are counted separately', async () => {
  const uninstall = integration('uninstall');
  const address = await failFrom(uninstall, () => 'wrong', wrongKeysPerMinute);
  expect((await uninstall('wrong', address)).status).toBe(429);
  expect((await install('wrong', address)).status).toBe(429);
  expect((await integration('install', 'standard-query')('wrong', address)).status).toBe(401);
  expect((await uninstall(installKey, address)).status).toBe(200);
});
