import { wrongKeysPerMinute } from '@waiver-service/integration/testing';
import { wrongTokensPerMinute } from '@waiver-service/people/testing';
import { type Answer, adminToken, type TestHost, textAt } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startPeopleHost } from '../setup/people-host.ts';

describe('credentials', () => {
  let host: TestHost;
  const credentials = '/v1/admin/credentials';

  beforeAll(async () => {
    host = await startPeopleHost({ settings: { role: 'api' } });
    await host.makePool('rafting');
  });
  afterAll(() => host?.close());

  describe('a credential', () => {
    it('is shown once, says who it is for, and ends when it is deleted', async () => {
      const expiresAt = '2190-01-01T00:00:00.000Z';
      const created = await host.admin('POST', credentials, {
        name: 'Ada',
        role: 'viewer',
        pools: ['rafting', 'rafting'],
        expiresAt,
      });
      expect(created).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^wsc_/) } });
      const [id, token] = [textAt(created.body, 'id'), textAt(created.body, 'token')];
      const listed = await host.admin('GET', credentials);
      const shown = { id, name: 'Ada', role: 'viewer', pools: ['rafting'], expiresAt };
      const times = { createdAt: expect.any(String), lastUsedAt: null };
      expect(listed.body).toEqual({ items: [{ ...shown, ...times, hint: expect.any(String) }], next: null });
      expect(listed.text).not.toContain(token);

      const ada = host.as(token);
      expect(await ada('GET', '/v1/admin/me')).toMatchObject({
        status: 200,
        body: { name: 'Ada', role: 'viewer', pools: ['rafting'] },
      });
      expect((await host.admin('GET', credentials)).body.items).toMatchObject([
        { lastUsedAt: expect.any(String) },
      ]);
      expect(await host.admin('DELETE', `${credentials}/${id}`)).toMatchObject({ status: 204 });
      expect(await ada('GET', '/v1/admin/me')).toMatchObject({ status: 401 });
      expect(await host.admin('DELETE', `${credentials}/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'credential_not_found' },
      });
    });

    it('is taken by a scheme in capitals or not', async () => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        const headers = { authorization: `${scheme} ${adminToken}` };
        const { status } = await host.call('GET', '/v1/admin/pools', undefined, { token: null, headers });
        expect([scheme, status]).toEqual([scheme, 200]);
      }
    });

    it('makes no others than the owner’s do; the admin token is one and cannot be revoked', async () => {
      expect((await host.admin('GET', '/v1/admin/me')).body).toEqual({
        name: 'admin',
        role: 'owner',
        pools: null,
      });
      const { body } = await host.admin('POST', credentials, { name: 'Grace', role: 'owner' });
      const grace = host.as(textAt(body, 'token'));
      expect(await grace('POST', credentials, { name: 'Bob', role: 'operator' })).toMatchObject({
        status: 201,
      });
      // All of them, by one of them.
      for (const { id } of (await grace('GET', credentials)).body.items.toReversed()) {
        expect(await grace('DELETE', `${credentials}/${id}`)).toMatchObject({ status: 204 });
      }
      expect(await grace('GET', credentials)).toMatchObject({ status: 401 });
      expect((await host.admin('GET', credentials)).body.items).toEqual([]);
    });

    it('lists an operator its pools only', async () => {
      await host.makePool('canyoning');
      const { body } = await host.admin('POST', credentials, {
        name: 'Bob',
        role: 'operator',
        pools: ['rafting'],
      });
      const bob = host.as(textAt(body, 'token'));
      expect((await bob('GET', '/v1/admin/pools')).body).toMatchObject({
        items: [{ id: 'rafting' }],
        next: null,
      });
    });

    it.each([
      ['no name', { role: 'viewer' }, 'name'],
      ['a blank name', { name: ' ', role: 'viewer' }, 'name'],
      ['a long name', { name: 'n'.repeat(201), role: 'viewer' }, 'name'],
      ['no role', { name: 'x' }, 'role'],
      ['another role', { name: 'x', role: 'admin' }, 'role'],
      ['no pools', { name: 'x', role: 'viewer', pools: [] }, 'pools'],
      ['an unknown pool', { name: 'x', role: 'viewer', pools: ['rafting', 'nowhere'] }, 'pools[1]'],
      ['too many pools', { name: 'x', role: 'viewer', pools: Array(101).fill('rafting') }, 'pools'],
      ['an owner of one pool', { name: 'x', role: 'owner', pools: ['rafting'] }, 'pools'],
      ['an end in the past', { name: 'x', role: 'viewer', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      ['an end that is no time', { name: 'x', role: 'viewer', expiresAt: 'tomorrow' }, 'expiresAt'],
      ['an unknown field', { name: 'x', role: 'viewer', pool: 'rafting' }, 'pool'],
    ])('with %s is refused', async (_what, body, path) => {
      expect(await host.admin('POST', credentials, body)).toMatchObject({
        status: 400,
        body: { code: 'malformed', errors: [{ path }] },
      });
    });
  });
});

describe('wrong keys and tokens', () => {
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
  async function failFrom(
    call: CallWith,
    keyOf: (failure: number) => string,
    count: number,
  ): Promise<string> {
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
});
