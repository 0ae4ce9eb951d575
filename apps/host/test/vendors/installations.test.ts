import { octoBooking, type SimulatedOcto, startOcto } from '@waiver-service/plugin-octo/simulator';
import { accountKey, startSystemFor, type TestCaller, textAt, until } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

describe('addresses', () => {
  let host: TestHost;
  let live: Awaited<ReturnType<typeof startOcto>>;
  let testing: Awaited<ReturnType<typeof startOcto>>;
  let systems: Awaited<ReturnType<typeof startSystemFor>>[];
  const { uuid } = octoBooking;

  beforeAll(async () => {
    host = await startTestHost();
    [live, testing] = await Promise.all([
      startOcto({ apiKey: accountKey, env: 'live' }),
      startOcto({ apiKey: accountKey, env: 'test' }),
    ]);
    systems = await Promise.all([startSystemFor('standard'), startSystemFor('standard')]);
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([live, testing, ...systems].map((system) => system.close()));
  });

  const path = (pool: string, installName: string) => `/v1/admin/pools/${pool}/installations/${installName}`;

  const install = (pool: string, installName: string, fields: object = {}) =>
    host.admin('PUT', path(pool, installName), { accountId: 4711, apiKey: accountKey, ...fields });

  const change = (pool: string, installName: string, fields: object) =>
    host.admin('PATCH', path(pool, installName), fields);

  const read = async (app: TestCaller, pool: string, id: string) =>
    (await app('GET', `/v1/pools/${pool}/bookings/${id}`)).status;

  describe('an environment', () => {
    test('is that of the installation, beside one in the other, and the setting where there is none', async () => {
      await host.admin('PUT', '/v1/admin/booking-systems/octo', {
        baseUrl: testing.url,
        settings: { env: 'test' },
      });
      const apps = await Promise.all(['e1', 'e2', 'e3'].map((pool) => host.makePool(pool)));
      const [unset, inTest, inLive] = apps;
      if (!unset || !inTest || !inLive) throw new Error('three pools were made');
      await install('e1', 'octo');
      await install('e2', 'octo', { environment: 'test' });
      await install('e3', 'octo', { environment: 'live' });
      expect(await read(unset, 'e1', uuid)).toBe(200);
      expect(await read(inTest, 'e2', uuid)).toBe(200);
      expect(await read(inLive, 'e3', uuid), 'the system has test bookings only').toBe(404);
      // Where the live bookings are.
      expect((await change('e3', 'octo', { baseUrl: live.url, sendCredentialsTo: live.url })).status).toBe(
        200,
      );
      expect(await read(inLive, 'e3', uuid)).toBe(200);
      expect(await read(inTest, 'e2', uuid)).toBe(200);
      const { body } = await host.admin('GET', '/v1/admin/pools/e3/installations');
      expect(body.items).toMatchObject([{ environment: 'live', baseUrl: live.url }]);
      const usual = { baseUrl: null, environment: null };
      expect((await change('e3', 'octo', { ...usual, sendCredentialsTo: testing.url })).body).toMatchObject(
        usual,
      );
      expect(await read(inLive, 'e3', uuid)).toBe(200);
    });

    test('that the booking system does not have is refused', async () => {
      await host.makePool('e4');
      for (const [installName, environment] of [
        ['standard', 'test'],
        ['octo', 'staging'],
      ]) {
        const { status, body } = await install('e4', installName ?? '', { environment });
        expect(status).toBe(400);
        expect(body.errors).toMatchObject([{ path: 'environment' }]);
      }
      const { body } = await host.admin('GET', '/v1/admin/pools/e4/installations');
      expect(body.items).toEqual([]);
    });
  });

  describe('a base address', () => {
    test('takes effect at once, and nothing that was read at the former one is served', async () => {
      const [first, second] = systems;
      if (!first || !second) throw new Error('two systems were started');
      const app = await host.makePool('b1');
      await host.connect('standard', first, 'b1');
      expect(await read(app, 'b1', 'BK-1001')).toBe(200);
      expect(
        (await change('b1', 'standard', { baseUrl: second.url, sendCredentialsTo: second.url })).body,
      ).toMatchObject({
        baseUrl: second.url,
      });
      second.faults.always('read', { kind: 'status', status: 503 });
      expect(await read(app, 'b1', 'BK-1001'), 'the stale copy is of another system').toBe(502);
      second.faults.clear();
      const before = first.received.length;
      expect(await read(app, 'b1', 'BK-1001')).toBe(200);
      expect(first.received.length).toBe(before);
      // Installing again, as a booking system does itself, leaves it; uninstalling does not.
      await install('b1', 'standard');
      expect((await host.admin('GET', '/v1/admin/pools/b1/installations')).body.items[0].baseUrl).toBe(
        second.url,
      );
      await host.admin('DELETE', path('b1', 'standard'));
      await install('b1', 'standard');
      expect((await host.admin('GET', '/v1/admin/pools/b1/installations')).body.items[0].baseUrl).toBeNull();
    });

    test.each([
      ['no address', 'nonsense'],
      ['an address of a private network', 'http://10.0.0.1/api'],
      ['a long one', `http://127.0.0.1/${'a'.repeat(2_100)}`],
    ])('%s is refused', async (_, baseUrl) => {
      await host.makePool('b2');
      await install('b2', 'standard');
      for (const answer of [
        await change('b2', 'standard', { baseUrl }),
        await install('b2', 'standard', { baseUrl }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.errors).toMatchObject([{ path: 'baseUrl' }]);
      }
    });

    test('only owners set an address, since the booking system’s secrets go there; operators set an environment', async () => {
      await host.makePool('b3');
      await install('b3', 'octo');
      const { body } = await host.admin('POST', '/v1/admin/credentials', {
        name: 'Op',
        role: 'operator',
        pools: ['b3'],
      });
      const operator = host.as(textAt(body, 'token'));
      const patch = (fields: object) => operator('PATCH', path('b3', 'octo'), fields);
      expect((await patch({ baseUrl: live.url })).status).toBe(403);
      const put = { accountId: 4711, apiKey: accountKey, baseUrl: live.url };
      expect((await operator('PUT', path('b3', 'octo'), put)).status).toBe(403);
      expect((await patch({ environment: 'test' })).body).toMatchObject({
        environment: 'test',
        baseUrl: null,
      });
      expect((await patch({ shareProperties: ['dateOfBirth'] })).body).toMatchObject({ environment: 'test' });
      // To leave an owner's address is to set another one; where none was set, there is none to leave.
      expect((await patch({ baseUrl: null })).status).toBe(200);
      expect((await operator('PUT', path('b3', 'octo'), { ...put, baseUrl: null })).status).toBe(200);
      await change('b3', 'octo', { baseUrl: live.url, sendCredentialsTo: live.url });
      expect((await patch({ baseUrl: null, sendCredentialsTo: testing.url })).status).toBe(403);
      expect((await operator('PUT', path('b3', 'octo'), { ...put, baseUrl: null })).status).toBe(403);
      const { body: installed } = await host.admin('GET', '/v1/admin/pools/b3/installations');
      expect(installed.items).toMatchObject([{ baseUrl: live.url }]);
    });
  });

  describe('credentials that are stored', () => {
    test('go to another server only if an owner says so', async () => {
      const [first, second] = systems;
      if (!first || !second) throw new Error('two systems were started');
      await host.makePool('c1');
      await host.connect('standard', first, 'c1');
      const all = '/v1/admin/booking-systems/standard';
      const received = second.received.length;
      for (const [method, address] of [
        ['PUT', all],
        ['PATCH', path('c1', 'standard')],
      ] as const) {
        for (const sendCredentialsTo of [undefined, first.url, 'x']) {
          const refused = await host.admin(method, address, { baseUrl: second.url, sendCredentialsTo });
          expect(refused).toMatchObject({ status: 409, body: { code: 'credentials_go_elsewhere' } });
          expect(refused.body.message).toContain(`"sendCredentialsTo": "${second.url}"`);
        }
      }
      expect((await host.admin('GET', all)).body.baseUrl).toBe(first.url);
      expect(second.received.length).toBe(received);
      // Another path of the same server, and an address before anything is installed there.
      expect((await host.admin('PUT', all, { baseUrl: `${first.url}/v2` })).status).toBe(200);
      expect(
        (await host.admin('PUT', '/v1/admin/booking-systems/standard-query', { baseUrl: first.url })).status,
      ).toBe(200);
      const agreed = { baseUrl: second.url, sendCredentialsTo: second.url };
      expect((await host.admin('PATCH', path('c1', 'standard'), agreed)).status).toBe(200);
      // Back to the booking system's own address, which is another server, too.
      const back = await change('c1', 'standard', { baseUrl: null });
      expect(back).toMatchObject({ status: 409, body: { code: 'credentials_go_elsewhere' } });
      expect(back.body.message).toContain(`"sendCredentialsTo": "${first.url}"`);
      expect((await change('c1', 'standard', { baseUrl: null, sendCredentialsTo: first.url })).status).toBe(
        200,
      );
      expect((await host.admin('PUT', all, agreed)).status).toBe(200);
    });

    test('are the settings, too', async () => {
      const octo = '/v1/admin/booking-systems/octo';
      const refused = await host.admin('PUT', octo, { baseUrl: 'http://127.0.0.1:9/' });
      expect(refused).toMatchObject({ status: 409, body: { code: 'credentials_go_elsewhere' } });
    });
  });
});

describe('permissions', () => {
  const apiKey = 'octo-account-key';
  const installation = '/v1/admin/pools/kayaks/installations/octo';
  const account = { accountId: 'kayaks', apiKey };
  let system: SimulatedOcto;
  let host: TestHost;
  let app: TestCaller;
  beforeAll(async () => {
    [system, host] = await Promise.all([startOcto({ apiKey }), startTestHost()]);
    app = await host.makePool('kayaks');
    await host.admin('PUT', '/v1/admin/booking-systems/octo', { baseUrl: system.url });
  });
  afterAll(async () => {
    await host.close();
    await system.close();
  });

  const tickets = () =>
    system.bookings.get(octoBooking.uuid)?.unitItems.map(({ supplierReference }) => supplierReference);

  /** Signs, waits for the booking system to have it, and tells whether every ticket is still the one it was. */
  async function keepsTickets(id: string, name: string): Promise<boolean> {
    const before = tickets();
    const bookingGuestId = octoBooking.unitItems[1]?.uuid;
    const answers = { name };
    const waiver = { id, bookingId: octoBooking.uuid, bookingGuestId, answers };
    expect((await app('POST', '/v1/pools/kayaks/waivers', waiver)).status).toBe(201);
    await until(async () => {
      const { body } = await app('GET', `/v1/pools/kayaks/waivers/${id}`);
      return body.deliveries[0]?.state === 'delivered';
    }, `the delivery of ${id}`);
    expect(system.bookings.get(octoBooking.uuid)?.notes).toContain(`name: ${name}`);
    return JSON.stringify(tickets()) === JSON.stringify(before);
  }

  test('tickets are reissued once at most, and not again until an operator allows it', async () => {
    const install = async (changes: object) => {
      expect((await host.admin('PUT', installation, { ...account, ...changes })).status).toBe(200);
      expect((await host.admin('PATCH', installation, { shareProperties: ['name'] })).status).toBe(200);
    };
    await install({});
    expect(await keepsTickets('w1', 'Ana')).toBe(true);
    await install({ changesUnitItems: true });
    expect(await keepsTickets('w2', 'Bo')).toBe(false);
    expect(await keepsTickets('w3', 'Cy')).toBe(true);
    await install({ changesUnitItems: true });
    expect(await keepsTickets('w4', 'Di')).toBe(false);
  });

  test('a booking system that installs itself allows itself nothing', async () => {
    const { installKey: key } = await host.preparePool('kayaks', 'octo');
    const sent = { key, pool: 'kayaks', ...account, changesUnitItems: true };
    const { status } = await host.as(null)('POST', '/integration/install/octo', sent);
    expect(status).toBe(200);
    expect(await keepsTickets('w5', 'El')).toBe(true);
  });
});
