import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defineBookingSystem } from '../src/index.ts';
import { currentBody, legacyBody } from './bookings.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';
import { apiKey, byPath, pathPlugin, queryPlugin, setupContexts } from './setup.ts';

let server: RecordingServer;
let setup: ReturnType<typeof setupContexts>;
beforeAll(async () => {
  server = await startRecordingServer();
  setup = setupContexts(server.baseUrl);
});
afterEach(() => {
  server.takeAll();
});
afterAll(async () => {
  await setup.outbound.close();
  await server.close();
});

const read = (bookingId = 'BK-1042', plugin = pathPlugin) =>
  plugin.fetchBooking(setup.context(plugin), bookingId);

describe('the request', () => {
  test('has the id in the path, the pool, and the key in the default header', async () => {
    server.willAnswer({ body: currentBody() });
    await expect(read()).resolves.toMatchObject({ form: 'current', warnings: [] });
    const { method, url, headers } = server.takeRequest();
    expect([method, url]).toEqual(['GET', '/partner/api/bookings/BK-1042?pool=pool%20%26%201']);
    expect(headers['api-key']).toBe(apiKey);
    expect(headers).not.toHaveProperty('authentication');
  });

  test('has the id in the query, and the key in the declared header', async () => {
    server.willAnswer({ body: legacyBody() });
    await expect(read('BK-1042', queryPlugin)).resolves.toMatchObject({ form: 'legacy', warnings: [] });
    const { method, url, rawHeaders, headers } = server.takeRequest();
    expect([method, url]).toEqual(['GET', '/partner/api/bookings?id=BK-1042&pool=pool%20%26%201']);
    expect(rawHeaders).toContain('Authentication');
    expect(headers.authentication).toBe(apiKey);
    expect(headers).not.toHaveProperty('api-key');
  });

  test('is the same for a base address that ends in a slash', async () => {
    server.willAnswer({ body: currentBody() });
    await pathPlugin.fetchBooking(setup.context(pathPlugin, { baseUrl: `${server.baseUrl}/` }), 'BK-1042');
    expect(server.takeRequest().url).toMatch(/^\/partner\/api\/bookings\/BK-1042\?/);
  });

  test('encodes any id in path and query', async () => {
    const hostile = fc.constantFrom(
      '/',
      '//',
      '../x',
      'a/../../b',
      '?',
      '#',
      '%',
      '%2e%2e',
      '%2F',
      '+',
      ' ',
      '&pool=x',
      "'()*!~",
      '😀',
      '\u0000',
      '...',
      ';',
      '\\',
      '\r\n',
    );
    const id = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
        fc.array(hostile, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
      )
      .filter((text) => text !== '.' && text !== '..' && text !== '');
    await fc.assert(
      fc.asyncProperty(id, async (bookingId) => {
        // An id that no waiver can have is asked for like any other, and refused in an answer.
        server.willAnswer({ body: currentBody() });
        await read(bookingId);
        const byPath = /^\/partner\/api\/bookings\/([A-Za-z0-9._~%-]+)\?pool=[^&]*$/.exec(
          server.takeRequest().url,
        )?.[1];
        expect(decodeURIComponent(byPath ?? '')).toBe(bookingId);
        await read(bookingId, queryPlugin);
        const byQuery = /^\/partner\/api\/bookings\?id=([A-Za-z0-9._~%-]+)&pool=[^&]*$/.exec(
          server.takeRequest().url,
        )?.[1];
        expect(decodeURIComponent(byQuery ?? '')).toBe(bookingId);
      }),
      { numRuns: 150 },
    );
  });

  test.each(['.', '..', '', '\ud800'])(
    'is not made at all for the id %j, which a URL cannot carry',
    async (bookingId) => {
      for (const plugin of [pathPlugin, queryPlugin]) {
        await expect(read(bookingId, plugin)).rejects.toMatchObject({ code: 'booking_not_found' });
      }
      expect(server.takeAll()).toEqual([]);
    },
  );
});

describe('the response', () => {
  test('with another id than the requested one gets a warning', async () => {
    server.willAnswer({ body: currentBody() });
    const { booking, warnings } = await read('7');
    expect(booking.id).toBe('BK-1042');
    expect(warnings).toMatchObject([{ code: 'id_differs', path: 'id' }]);
  });

  test('with the id as a number is the requested booking', async () => {
    server.willAnswer({ body: { ...currentBody(), id: 1042 } });
    expect((await read('1042')).warnings.map(({ code }) => code)).toEqual(['number_as_string']);
  });

  test('gets a statusGroup only from a plugin with a map; an unknown status is `other`, with a warning', async () => {
    const mapped = defineBookingSystem({ ...byPath, statusMap: { Active: 'active' } });
    const readMapped = () => mapped.fetchBooking(setup.context(mapped), 'BK-1042');
    server.willAnswer({ body: currentBody() });
    expect((await read()).booking).not.toHaveProperty('statusGroup');
    expect(await readMapped()).toMatchObject({ booking: { statusGroup: 'active' }, warnings: [] });
    server.willAnswer({ body: { ...currentBody(), status: 'constructor' } });
    expect((await read()).warnings).toEqual([]);
    expect(await readMapped()).toMatchObject({
      booking: { status: 'constructor', statusGroup: 'other' },
      warnings: [{ code: 'unknown_status', path: 'status' }],
    });
  });
});

describe('a failure', () => {
  const contractBody = { success: false, message: 'Booking BK-1042 was not found' };
  test.each([
    [404, contractBody, 'booking_not_found'],
    [404, '<html>Not here</html>', 'booking_not_found'],
    [401, '', 'booking_system_auth_rejected'],
    [403, '', 'booking_system_auth_rejected'],
    [429, '', 'booking_system_rate_limited'],
    [400, '', 'booking_system_error'],
    [410, '', 'booking_system_error'],
    [500, '', 'booking_system_error'],
    [503, '', 'booking_system_error'],
    [302, '', 'booking_system_error'],
    [200, '', 'invalid_booking_response'],
    [204, '', 'invalid_booking_response'],
    [200, '<html>Welcome</html>', 'invalid_booking_response'],
    [200, '{"id":"BK-10', 'invalid_booking_response'],
    [200, contractBody, 'invalid_booking_response'],
  ])('of status %i with %j is %s, names the system and shows no key', async (status, body, code) => {
    server.willAnswer({ status, body: typeof body === 'string' && body !== '' ? `${body}${apiKey}` : body });
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code,
      ...(status === 200 || status === 204 ? {} : { upstreamStatus: status }),
    });
    expect(inspect(error, { depth: 20 })).not.toContain(apiKey);
    if (status !== 200 && status !== 204)
      expect(error).toMatchObject({ message: expect.stringContaining('By Path') });
  });

  test('404 is not found; unless it has the contract’s form, the message hints at the base address', async () => {
    server.willAnswer({ status: 404, body: contractBody });
    await expect(read()).rejects.toThrow(/^By Path has no booking "BK-1042"$/);
    for (const body of [
      '<html>',
      '',
      { success: false },
      { success: true, message: 'x' },
      { message: 'no route' },
    ]) {
      server.willAnswer({ status: 404, body });
      await expect(read()).rejects.toThrow('base address');
    }
  });

  test('429 and 503 pass on how long to wait, in milliseconds', async () => {
    for (const status of [429, 503]) {
      server.willAnswer({ status, headers: { 'Retry-After': '17' } });
      await expect(read()).rejects.toMatchObject({ retryAfterMs: 17_000, retryable: true });
      server.willAnswer({ status, headers: { 'Retry-After': 'soon' } });
      await expect(read()).rejects.toMatchObject({ retryAfterMs: undefined });
    }
  });

  test('a body over 5 MiB is an invalid response', async () => {
    server.willAnswer({ body: { ...currentBody(), notes: 'x'.repeat(5 * 1024 * 1024) } });
    await expect(read()).rejects.toMatchObject({
      code: 'invalid_booking_response',
      outboundErrorCode: 'response_too_large',
    });
  });
});
