import type { InboundAnswer, InboundCall } from '@waiver-service/core';
import standard from '@waiver-service/plugin-standard';
import type { SimulatedBookingSystem } from '@waiver-service/simulator';
import { problem, startSystemFor, startTestHost, type TestHost, until } from '@waiver-service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let host: TestHost;

describe('a call about a booking', () => {
  let bookingSystem: SimulatedBookingSystem;
  let poolKey: string;
  let otherPoolKey: string;

  beforeAll(async () => {
    bookingSystem = await startSystemFor('standard', { apiKey: 'partner-key' });
    host = await startTestHost();
    await host.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: bookingSystem.url });
    const install = async (pool: string) => {
      const { installKey: key } = await host.preparePool(pool);
      const call = { baseUrl: host.url, installName: 'standard', key, pool, accountId: 1 };
      return (await bookingSystem.install(call)).appPoolKey;
    };
    poolKey = await install('east');
    otherPoolKey = await install('west');
  });
  afterAll(async () => {
    await host.close();
    await bookingSystem.close();
  });

  const inbound = (
    body: unknown,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ) => host.call('POST', `/integration/webhook/standard${query}`, body, { token: null, headers });

  test('a call with the app pool key names the booking back, and the booking is read in the background', async () => {
    const [booking] = bookingSystem.bookings.all;
    const id = booking?.id ?? '';
    const before = bookingSystem.received.length;
    expect(await inbound({ id, pool: 'east' }, { headers: { 'api-key': poolKey } })).toMatchObject({
      status: 200,
      body: { success: true, bookings: [{ id }] },
    });
    const reads = await until(() => {
      const since = bookingSystem.received.slice(before);
      return since.length > 0 && since;
    }, 'the booking to be read again');
    expect(reads[0]?.path).toBe(`/bookings/${encodeURIComponent(id)}?pool=east`);
  });

  test('a change that is announced while the booking is being read is read, and the late answer does not replace it', async () => {
    const booking = bookingSystem.bookings.get('BK-1001');
    if (booking === undefined) throw new Error('there is no BK-1001');
    const read = () => host.call('GET', '/v1/pools/east/bookings/BK-1001');
    const before = bookingSystem.received.length;
    const since = (count: number) =>
      bookingSystem.untilReceived('read', (all) => all.length >= before + count);
    bookingSystem.faults.next('read', { kind: 'slow-body', bytesPerSecond: 600 });
    const first = read();
    await since(1);
    bookingSystem.bookings.replace({ ...booking, status: 'Cancelled' });
    await inbound({ id: 'BK-1001', pool: 'east', key: poolKey });
    await since(2);
    await first;
    bookingSystem.faults.always('read', { kind: 'status', status: 503 });
    expect(await read()).toMatchObject({ body: { stale: true, booking: { status: 'Cancelled' } } });
    bookingSystem.faults.clear();
  });

  test('the key may stand in the body or in the query, and a number is a booking id too', async () => {
    expect(await inbound({ id: 7, pool: 'east', key: poolKey })).toMatchObject({
      status: 200,
      body: { bookings: [{ id: '7' }] },
    });
    expect(await inbound({ id: 'x', pool: 'east' }, { query: `?key=${poolKey}` })).toMatchObject({
      status: 200,
    });
    expect(host.lines.join('')).not.toContain(poolKey);
    expect(host.lines.join('')).toContain('?key=[redacted]');
  });

  test('without a key of this booking system it is a 401, whatever the body', async () => {
    expect((await inbound({ id: 'x', pool: 'east' })).status).toBe(401);
    expect((await inbound({ id: 'x', pool: 'east', key: 'wrong' })).status).toBe(401);
    expect(
      (await inbound('{not json', { headers: { 'api-key': 'wrong', 'content-type': 'application/json' } }))
        .status,
    ).toBe(401);
    const elsewhere = await host.call(
      'POST',
      '/integration/webhook/standard-query',
      { id: 'x', pool: 'east', key: poolKey },
      { token: null },
    );
    expect(elsewhere.status).toBe(401);
  });

  test('a key opens its own pool only', async () => {
    const answer = await inbound({ id: 'x', pool: 'east' }, { headers: { 'api-key': otherPoolKey } });
    expect(answer).toMatchObject(problem(403, 'forbidden'));
    const before400 = await inbound({ id: '\u0000', pool: 'east' }, { headers: { 'api-key': otherPoolKey } });
    expect(before400.status).toBe(403);
  });

  test('a booking that is named badly is a 400 that says so', async () => {
    for (const [body, path] of [
      [{ id: '', pool: 'east' }, 'id'],
      [{ id: 'x'.repeat(257), pool: 'east' }, 'id'],
      [{ id: 'x' }, 'pool'],
      [{ id: {}, pool: 'east' }, 'id'],
    ] as const) {
      const answer = await inbound(body, { headers: { 'api-key': poolKey } });
      expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path]);
    }
  });

  test('a call may bring a large booking, of 1 MiB at most', async () => {
    const headers = { 'api-key': poolKey };
    const large = (kibibytes: number) => ({ id: 'x', pool: 'east', booking: 'x'.repeat(kibibytes * 1024) });
    expect(await inbound(large(900), { headers })).toMatchObject({ status: 200 });
    expect(await inbound(large(1025), { headers })).toMatchObject({ status: 413 });
  });
});

describe('the body of a call', () => {
  const heard: InboundCall[] = [];
  const poolKeys = { native: '', standard: '' };

  /** A vendor with native calls: `booking` names bookings, `ping` none, and everything else is not its call. */
  const native = {
    ...standard,
    installName: 'native',
    capabilities: { ...standard.capabilities, inbound: 'native' as const },
    parseInbound(call: InboundCall) {
      heard.push(call);
      const { body } = call;
      if (typeof body === 'string') return { bookingIds: /<code>(.*)<\/code>/.exec(body)?.slice(1) ?? [] };
      if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Error('no call');
      const { booking = [], answer } = { ...body } as { booking?: string | string[]; answer?: InboundAnswer };
      return { bookingIds: [booking].flat(), answer };
    },
  };

  beforeAll(async () => {
    host = await startTestHost({ plugins: [native] });
    await host.preparePool('east');
    for (const name of ['native', 'standard'] as const) {
      await host.call('PUT', `/v1/admin/booking-systems/${name}`, { baseUrl: 'http://127.0.0.1:1' });
      const path = `/v1/admin/pools/east/installations/${name}`;
      const { body } = await host.call('PUT', path, { accountId: 1, apiKey: 'k' });
      poolKeys[name] = String(body.apiKey);
    }
  });
  afterAll(() => host.close());
  beforeEach(() => {
    heard.length = 0;
  });

  const send = (
    name: keyof typeof poolKeys,
    contentType: string,
    body: string,
    headers: Readonly<Record<string, string>> = { 'api-key': poolKeys[name] },
  ) =>
    host.call('POST', `/integration/webhook/${name}`, body, {
      token: null,
      headers: { 'content-type': contentType, ...headers },
    });
  const form = 'application/x-www-form-urlencoded';
  const named = (...ids: string[]) => ({ status: 200, body: { bookings: ids.map((id) => ({ id })) } });

  describe('a system with native calls', () => {
    test.each(['application/xml', 'text/xml', 'Text/XML; charset=utf-8'])(
      'has %s handed over as text',
      async (contentType) => {
        const xml = '<?xml version="1.0"?><booking><code>BK-7</code><guest>Zoë</guest></booking>';
        expect(await send('native', contentType, xml)).toMatchObject(named('BK-7'));
        expect(heard[0]?.body).toBe(xml);
      },
    );

    test('has a form handed over as its fields; a field that comes twice is a list', async () => {
      const fields = 'booking=BK-1&booking=BK-2&guest=Zo%C3%AB+B&booking%5Bcode%5D=x&empty=&__proto__=y';
      expect(await send('native', `${form}; charset=utf-8`, fields)).toMatchObject(named('BK-1', 'BK-2'));
      const { body } = heard[0] ?? {};
      expect(Object.entries(Object(body))).toEqual([
        ['booking', ['BK-1', 'BK-2']],
        ['guest', 'Zoë B'],
        ['booking[code]', 'x'],
        ['empty', ''],
        ['__proto__', 'y'],
      ]);
    });

    test('may have its key in a form, but not in XML', async () => {
      const withKey = `key=${poolKeys.native}&booking=BK-3`;
      expect(await send('native', form, withKey, {})).toMatchObject(named('BK-3'));
      expect((await send('native', form, 'key=wrong&booking=BK-3', {})).status).toBe(401);
      expect((await send('native', form, `${withKey}&key=wrong`, {})).status).toBe(401);
      const xml = `<key>${poolKeys.native}</key>`;
      expect((await send('native', 'text/xml', xml, {})).status).toBe(401);
    });

    test('gets a 200 for a call that names no booking, because it would disable its calls', async () => {
      for (const [contentType, body] of [
        ['application/json', '{"event":"ping"}'],
        ['application/json', '{}'],
        ['application/json', ''],
        ['text/xml', '<ping/>'],
        ['text/xml', ''],
        [form, 'event=ping'],
        [form, ''],
      ] as const) {
        expect(await send('native', contentType, body), `${contentType} ${body}`).toMatchObject(named());
      }
      const withoutBody = await host.call('POST', '/integration/webhook/native', undefined, {
        token: null,
        headers: { 'api-key': poolKeys.native },
      });
      expect(withoutBody).toMatchObject(named());
    });

    test('may send numbers and texts that could not be kept: nothing of them is', async () => {
      const deep = `${'['.repeat(60)}${']'.repeat(60)}`;
      const body = `{"booking":"BK-9","tax":8.33333333333333333,"note":"a\\u0000b","deep":${deep}}`;
      expect(await send('native', 'application/json', body)).toMatchObject(named('BK-9'));
    });

    test('gets a 400 for something that is not its call, or an id that cannot be stored', async () => {
      for (const body of ['[]', '7', '{"booking":"a\\u0000b"}', `{"booking":"${'x'.repeat(257)}"}`]) {
        expect(await send('native', 'application/json', body), body.slice(0, 40)).toMatchObject(
          problem(400, 'malformed'),
        );
      }
      expect((await send('native', 'application/json', '{')).body).toMatchObject({ code: 'malformed_json' });
    });

    test('may send 1 MiB, and a form 5,000 fields', async () => {
      const kibibytes = (count: number) => 'x'.repeat(count * 1024);
      for (const contentType of ['text/xml', form]) {
        expect((await send('native', contentType, `a=${kibibytes(1023)}`)).status).toBe(200);
        expect((await send('native', contentType, `a=${kibibytes(1025)}`)).status).toBe(413);
      }
      const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join('&');
      expect((await send('native', form, fields(5000))).status).toBe(200);
      expect(await send('native', form, fields(5001))).toMatchObject({
        status: 400,
        body: { code: 'malformed', message: expect.stringContaining('5000 fields') },
      });
    });

    test('must not compress, and may send no other type', async () => {
      const headers = { 'api-key': poolKeys.native, 'content-encoding': 'gzip' };
      expect((await send('native', 'text/xml', '<ping/>', headers)).status).toBe(415);
      expect((await send('native', form, 'a=1', headers)).status).toBe(415);
      for (const contentType of [
        'text/plain',
        'text/html',
        'multipart/form-data; boundary=x',
        'application/xml-dtd',
      ]) {
        expect((await send('native', contentType, 'a=1')).status, contentType).toBe(415);
      }
      expect(heard).toEqual([]);
    });

    test('without a key it is a 401, whatever the body', async () => {
      const wrong = { 'api-key': 'wrong' };
      for (const contentType of ['text/plain', 'text/xml', form]) {
        expect((await send('native', contentType, 'x', wrong)).status, contentType).toBe(401);
      }
      expect(heard).toEqual([]);
    });
  });

  describe('an answer of the vendor’s own', () => {
    const shake = (answer: unknown) => send('native', 'application/json', JSON.stringify({ answer }));

    test('is sent as the plugin says', async () => {
      const headers = { 'x-challenge': 'c' };
      expect(await shake({ body: 'challenge', headers })).toMatchObject({ status: 200, text: 'challenge' });
      const json = await shake({ status: 202, body: { challenge: 'c' } });
      expect(json).toMatchObject({ status: 202, body: { challenge: 'c' } });
      expect(await shake({ status: 204 })).toMatchObject({ status: 204, text: '' });
    });

    test('may be no failure, no more than 64 KiB, and set no header of the server’s own', async () => {
      for (const answer of [
        { status: 401 },
        { status: 302 },
        { body: 'x'.repeat(64 * 1024) },
        { headers: { 'Set-Cookie': 'a=b' } },
        { headers: { 'content-length': '0' } },
        { headers: { 'x-a': 'b\r\nx: y' } },
      ]) {
        expect((await shake(answer)).status, JSON.stringify(answer).slice(0, 60)).toBe(400);
      }
    });

    test('goes out while the installation is pending, too', async () => {
      await host.preparePool('west');
      await host.call('PUT', '/v1/admin/pools/west', { name: 'west', installs: 'approve' });
      const { body: made } = await host.call('POST', '/v1/admin/booking-systems/native/install-keys', {});
      const account = { key: made.key, pool: 'west', accountId: 1, apiKey: 'k' };
      const { body } = await host.call('POST', '/integration/install/native', account, { token: null });
      const call = (text: string) =>
        send('native', 'application/json', text, { 'api-key': String(body.apiKey) });
      const answered = await call('{"booking":"BK-1","answer":{"body":"challenge"}}');
      expect(answered).toMatchObject({ status: 200, text: 'challenge' });
      expect(await call('{"booking":"BK-1"}')).toMatchObject(named());
      expect(await call('[]')).toMatchObject(named());
    });
  });

  test.each([
    [form, 'booking=K%FCste'],
    [`${form}; charset=utf-8`, 'booking=K%C3%BCste'],
    [`${form}; charset=iso-8859-1`, 'booking=K%FCste'],
    [`${form}; charset=windows-1252`, 'booking=K%C3%BCste'],
  ])('a form is decoded by its charset: %s %s', async (contentType, body) => {
    expect((await send('native', contentType, body)).status).toBe(200);
    // Without a charset, a vendor's ids are still read: they are ASCII.
    expect(heard[0]?.body).toEqual({ booking: contentType === form ? 'K\uFFFDste' : 'Küste' });
  });

  test('a form or XML in a charset that is not known is a 415', async () => {
    for (const contentType of [form, 'text/xml']) {
      const answer = await send('native', `${contentType}; charset=klingon`, 'é=1');
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    }
  });
});
