import {
  accountKey,
  malformed,
  prepareInstalled,
  problem,
  startTestHost,
  until,
} from '@waiver-service/testing';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import { ownApi } from '../setup/own-api.ts';

const { host, system, app, close } = await prepareInstalled(
  startTestHost({ plugins: [ownApi], settings: { outboundTimeout: 5_000 } }),
);
afterEach(() => system.faults.clear());
afterAll(close);

const installations = '/v1/admin/pools/rafting/installations';
const standard = `${installations}/standard`;

describe('installing by hand', () => {
  it('answers the webhook address and the app pool key, and lists the rest without the apiKey', async () => {
    const { status, body } = await host.admin('PUT', standard, { accountId: 4711, apiKey: accountKey });
    expect(status).toBe(200);
    expect(body).toEqual({
      webhookUrl: `${host.url}/integration/webhook/standard`,
      apiKey: expect.stringMatching(/^wsp_/),
    });
    const listed = await host.admin('GET', installations);
    expect(listed.body).toEqual({
      items: [
        {
          bookingSystem: 'standard',
          accountId: 4711,
          installedAt: expect.any(String),
          status: 'active',
          paused: false,
          approvedBy: null,
          approvedAt: null,
          baseUrl: null,
          environment: null,
          shareProperties: [],
          shareDocument: false,
          shareAllowedBy: null,
          shareAllowedAt: null,
        },
      ],
    });
    expect(JSON.stringify(listed.body)).not.toContain(accountKey);
  });

  it('refuses another account, a malformed one, and an unknown booking system', async () => {
    expect(await host.admin('PUT', standard, { accountId: 1, apiKey: 'k' })).toMatchObject(
      problem(409, 'other_account'),
    );
    expect(await host.admin('PUT', standard, { accountId: 4711 })).toMatchObject(malformed('apiKey'));
    expect(await host.admin('PUT', standard, { apiKey: 'k' })).toMatchObject(malformed('accountId'));
    expect(await host.admin('PUT', standard, { accountId: 4711, apiKey: 'a\nb' })).toMatchObject(
      malformed('apiKey'),
    );
    expect(await host.admin('PUT', `${installations}/nope`, { accountId: 1, apiKey: 'k' })).toMatchObject(
      problem(404, 'unknown_booking_system'),
    );
    const big = { accountId: 4711, apiKey: 'k', more: 'x'.repeat(70_000) };
    expect(await host.admin('PUT', standard, big)).toMatchObject({ status: 413 });
  });

  it('asks for no accountId where another field is the account', async () => {
    await host.makePool('harbor');
    const path = '/v1/admin/pools/harbor/installations/own-api';
    const account = { apiKey: accountKey, shortname: 'bay-tours' };
    expect(await host.admin('PUT', path, account)).toMatchObject({ status: 200 });
    expect(await host.admin('GET', '/v1/admin/pools/harbor/installations')).toMatchObject({
      body: { items: [{ accountId: 'bay-tours' }] },
    });
    expect(await host.admin('PUT', path, { ...account, accountId: 'another' })).toMatchObject({
      status: 409,
    });
    expect(await host.admin('PUT', path, { apiKey: accountKey })).toMatchObject(malformed('shortname'));
  });

  it('deletes, reports it, and succeeds if nothing is installed', async () => {
    const caller = await host.makePool('deleted');
    await host.connect('standard', system, 'deleted');
    const path = '/v1/admin/pools/deleted/installations/standard';
    expect(await host.admin('DELETE', path)).toMatchObject({ status: 200, body: { success: true } });
    expect(await host.admin('DELETE', path)).toMatchObject({
      status: 200,
      body: { success: true, message: expect.stringContaining('was not installed') },
    });
    expect(await caller('GET', '/v1/pools/deleted/bookings/BK-1001')).toMatchObject(
      problem(424, 'not_installed'),
    );
    expect(await host.admin('PATCH', path, { shareProperties: [] })).toMatchObject(
      problem(404, 'not_installed'),
    );
  });
});

describe('the properties shared with a booking system', () => {
  it('is set by an operator, and who did so and when is recorded', async () => {
    const { status, body } = await host.admin('PATCH', standard, {
      shareProperties: ['dateOfBirth', 'name'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      shareProperties: ['dateOfBirth', 'name'],
      shareAllowedBy: 'admin-token',
      shareAllowedAt: expect.any(String),
    });
    expect(await host.admin('GET', installations)).toMatchObject({
      body: { items: [{ shareProperties: ['dateOfBirth', 'name'] }] },
    });
    await host.admin('PATCH', standard, { shareProperties: [] });
  });

  it.each([
    ['nothing', {}, 'shareProperties'],
    ['a field of the waiver itself', { shareProperties: ['updatedAt'] }, 'shareProperties[0]'],
    ['a name too long', { shareProperties: ['n'.repeat(129)] }, 'shareProperties[0]'],
    [
      'too many',
      { shareProperties: Array.from({ length: 101 }, (_, index) => `n${index}`) },
      'shareProperties',
    ],
    ['another field', { shareProperties: [], allowedBy: 'me' }, 'allowedBy'],
  ])('refuses %s', async (_, body, path) => {
    expect(await host.admin('PATCH', standard, body)).toMatchObject(malformed(path));
  });
});

describe('the check of an installation', () => {
  const path = '/v1/admin/pools/rafting/installations/standard/check';
  const written = () => system.received.filter(({ method }) => method === 'POST').length;

  interface Line {
    readonly type: string;
    readonly id?: string;
    readonly holds?: boolean | null;
  }

  async function check(body: object): Promise<Line[]> {
    const { text } = await host.admin('POST', path, body);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  test('lists its requests beforehand, or says why nothing can be checked', async () => {
    const { body } = await host.admin('GET', path);
    expect(body).toMatchObject({ possible: true, maxSeconds: 60 });
    expect(body.reads.join(' ')).toMatch(/without a key/);
    expect(body.writes.join(' ')).toMatch(/voids/);
    await host.admin('PUT', '/v1/admin/pools/rafting/installations/own-api', {
      shortname: 'a',
      apiKey: 'k',
    });
    const ownCheck = '/v1/admin/pools/rafting/installations/own-api/check';
    expect((await host.admin('GET', ownCheck)).body).toMatchObject({
      possible: false,
      reason: expect.stringMatching(/does not follow the contract/),
    });
    expect(await host.admin('POST', ownCheck, { bookingId: 'B' })).toMatchObject(
      problem(409, 'check_not_possible'),
    );
    expect(await host.admin('GET', path.replace('standard', 'bookeo'))).toMatchObject({ status: 404 });
  });

  test('tells each clause, and writes only if that is chosen', async () => {
    const lines = await check({ bookingId: 'BK-1001' });
    expect(lines.at(-1)).toMatchObject({ type: 'end', ok: true, failed: 0, notChecked: 1 });
    expect(lines.at(-2)).toMatchObject({ id: 'write', holds: null, because: 'you chose not to write' });
    expect(written()).toBe(0);
    const writing = await check({ bookingId: 'BK-1001', write: true });
    expect(writing.at(-1)).toMatchObject({ ok: true, notChecked: 0 });
    expect(written()).toBe(7);
    expect([...system.waivers.keys()]).toEqual([]);
  });

  test('names the failed clauses, without the key', async () => {
    system.faults.always('read', { kind: 'status', status: 500, body: `the key was ${accountKey}` });
    const lines = await check({ bookingId: 'BK-1001' });
    expect(lines.find(({ id }) => id === 'read/answer')).toMatchObject({
      holds: false,
      found: 'status 500',
      change: expect.any(String),
      answer: expect.stringMatching(/^500 the key was/),
    });
    expect(JSON.stringify(lines)).not.toContain(accountKey);
  });

  test('runs once at a time, is for operators, and takes only a booking id', async () => {
    system.faults.always('read', { kind: 'latency', milliseconds: 2_000 });
    const before = system.received.length;
    const first = check({ bookingId: 'BK-1001' });
    await until(() => system.received.length > before, 'the first check to ask');
    expect(await host.admin('POST', path, { bookingId: 'BK-1001' })).toMatchObject(
      problem(409, 'check_running'),
    );
    system.faults.clear();
    await first;
    expect((await check({ bookingId: 'BK-1001' })).at(-1)).toMatchObject({ ok: true });
    expect(await app('POST', path, { bookingId: 'BK-1001' })).toMatchObject({ status: 403 });
    expect(await host.admin('POST', path, { bookingId: 'b'.repeat(257) })).toMatchObject({ status: 400 });
    expect(await host.admin('POST', path, { bookingId: 'b', more: 1 })).toMatchObject({ status: 400 });
  });
});
