import { inspect } from 'node:util';
import type { Waiver } from '@waiver-service/core';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defineBookingSystem } from '../src/index.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';
import { apiKey, byPath, pathPlugin, queryPlugin, setupContexts } from './setup.ts';

const waiverIdPlugin = defineBookingSystem({
  ...byPath,
  contract: { ...byPath.contract, guestId: 'waiver-id' },
});
const waiver: Waiver = {
  id: 'wv/1?#%+ 😀',
  pool: 'pool-1',
  bookingId: 'BK 1042',
  bookingGuestId: 'g/1',
  lastVisit: '2026-05-01T09:30:00Z',
  deleted: false,
  updatedAt: '2026-05-01T09:31:02.123Z',
};
const { bookingGuestId: _guest, ...withoutGuest } = waiver;

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

async function push(toPush: Waiver = waiver, plugin = pathPlugin) {
  if (!plugin.pushWaiver) throw new Error('it takes no Guest Updates');
  return plugin.pushWaiver(setup.context(plugin, { purpose: 'guest-update' }), toPush);
}

describe('the request', () => {
  test('is exactly the contract’s', async () => {
    server.willAnswer({ body: { success: true } });
    await expect(push()).resolves.toEqual({ accepted: true, warnings: [] });
    const { method, url, headers, rawHeaders, body } = server.takeRequest();
    expect(method).toBe('POST');
    expect(url).toBe('/partner/api/bookings/BK%201042/guests/g%2F1?bookingId=BK%201042&bookingGuestId=g%2F1');
    expect(rawHeaders[rawHeaders.indexOf('API-key') + 1]).toBe(apiKey);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toBe(
      '{"waiver":{"id":"wv/1?#%+ 😀","pool":"pool-1","bookingId":"BK 1042","bookingGuestId":"g/1",' +
        '"lastVisit":"2026-05-01T09:30:00Z","deleted":false,"updatedAt":"2026-05-01T09:31:02.123Z"}}',
    );
  });

  test('uses API-key even if reads use another header, unless the plugin declares one', async () => {
    await push(waiver, queryPlugin);
    const { headers } = server.takeRequest();
    expect(headers['api-key']).toBe(apiKey);
    expect(headers).not.toHaveProperty('authentication');
    await push(
      waiver,
      defineBookingSystem({
        ...byPath,
        contract: { ...byPath.contract, guestUpdateAuthHeaderName: 'X-Write-Key' },
      }),
    );
    expect(server.takeRequest().headers['x-write-key']).toBe(apiKey);
  });

  test.each([
    ['the guest id', pathPlugin, waiver, 'g%2F1'],
    [
      'the waiver id where the guest id is unknown',
      pathPlugin,
      withoutGuest,
      'wv%2F1%3F%23%25%2B%20%F0%9F%98%80',
    ],
    ['always the waiver id', waiverIdPlugin, waiver, 'wv%2F1%3F%23%25%2B%20%F0%9F%98%80'],
    ['nothing', queryPlugin, waiver, ''],
  ])('ends in %s, by the plugin’s choice', async (_what, plugin, toPush, end) => {
    await push(toPush, plugin);
    expect(server.takeRequest().url.split('?')[0]).toBe(`/partner/api/bookings/BK%201042/guests/${end}`);
  });

  test('names a guest by the waiver id if the guest id is empty', async () => {
    await push({ ...waiver, id: 'w', bookingGuestId: '' });
    expect(server.takeRequest().url).toContain('/guests/w?');
  });

  test('omits an unknown guest id from body and query', async () => {
    for (const toPush of [withoutGuest, { ...withoutGuest, bookingGuestId: undefined }]) {
      await push(toPush);
      const { url, body } = server.takeRequest();
      expect(url).not.toContain('bookingGuestId');
      expect(body).not.toContain('bookingGuestId');
    }
  });

  test('encodes any waiver id of up to 256 bytes in the path', async () => {
    const id = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 256 })
      .filter((text) => Buffer.byteLength(text) <= 256 && text !== '.' && text !== '..');
    await fc.assert(
      fc.asyncProperty(id, async (waiverId) => {
        await push({ ...waiver, id: waiverId }, waiverIdPlugin);
        const { url, body } = server.takeRequest();
        const last = /^\/partner\/api\/bookings\/BK%201042\/guests\/([A-Za-z0-9._~%-]+)\?/.exec(url)?.[1];
        expect(decodeURIComponent(last ?? '')).toBe(waiverId);
        expect(JSON.parse(body).waiver.id).toBe(waiverId);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    [{ ...waiver, bookingId: '..' }],
    [{ ...waiver, bookingId: '' }],
    [{ ...waiver, bookingGuestId: '.' }],
    [{ ...withoutGuest, id: '..' }],
    [{ ...withoutGuest, id: '\udc00' }],
  ])('is not made for an id that a URL cannot carry: %j', async (toPush) => {
    await expect(push(toPush)).rejects.toMatchObject({
      code: 'waiver_rejected',
      retry: 'never',
      message: expect.stringMatching(/^the (booking|guest) id ".*" cannot be sent: /),
    });
    expect(server.takeAll()).toEqual([]);
  });
});

describe('the response', () => {
  test.each([
    [200, { success: true }],
    [201, ''],
    [204, ''],
    [200, 'thanks'],
    [202, { ok: 1 }],
    [299, { success: true }],
    [200, { success: null }],
    [200, [{ success: false }]],
  ])('%i %j is taken', async (status, body) => {
    server.willAnswer({ status, body });
    await expect(push()).resolves.toMatchObject({ accepted: true });
  });

  test('{"success":false} is a rejection that quotes the reason, truncated and redacted', async () => {
    server.willAnswer({ body: { success: false, message: `bad key ${apiKey} ${'x'.repeat(5000)}` } });
    const error: unknown = await push().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'waiver_rejected',
      retry: 'schedule',
      outboundErrorCode: 'not_accepted',
      upstreamStatus: 200,
      message: expect.stringContaining('bad key «redacted»'),
    });
    const shown = inspect(error);
    expect(shown).not.toContain(apiKey);
    expect(error instanceof Error && error.message.length).toBeLessThan(250);
  });

  test('{"success":false} without a reason says so', async () => {
    for (const body of [{ success: false }, { success: false, message: 7 }]) {
      server.willAnswer({ body });
      await expect(push()).rejects.toThrow('By Path did not take the waiver, without saying why');
    }
    server.willAnswer({ body: { success: false, message: 'no such guest' } });
    await expect(push()).rejects.toThrow('By Path did not take the waiver, saying "no such guest"');
  });

  test.each([
    [400, 'waiver_rejected', 'three-attempts'],
    [413, 'waiver_rejected', 'three-attempts'],
    [415, 'waiver_rejected', 'three-attempts'],
    [422, 'waiver_rejected', 'three-attempts'],
    [410, 'waiver_rejected', 'never'],
    [401, 'booking_system_auth_rejected', undefined],
    [403, 'booking_system_auth_rejected', undefined],
    [404, 'booking_system_error', undefined],
    [409, 'booking_system_error', undefined],
    [500, 'booking_system_error', undefined],
    [503, 'booking_system_error', undefined],
  ])('%i is %s, tried again: %s', async (status, code, retry) => {
    server.willAnswer({ status, body: { success: false, message: apiKey } });
    const error: unknown = await push().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code,
      upstreamStatus: status,
      outboundErrorCode: 'http_status',
      inDoubt: false,
      message: expect.stringContaining('By Path'),
      ...(retry === undefined ? {} : { retry }),
    });
    expect(inspect(error)).not.toContain(apiKey);
  });

  test('429 passes on how long to wait', async () => {
    server.willAnswer({ status: 429, headers: { 'Retry-After': '60' } });
    await expect(push()).rejects.toMatchObject({ code: 'booking_system_rate_limited', retryAfterMs: 60_000 });
    // Relative to the Date header, since clocks may differ.
    const headers = { Date: 'Sat, 01 Jan 2000 00:00:00 GMT', 'Retry-After': 'Sat, 01 Jan 2000 00:01:30 GMT' };
    server.willAnswer({ status: 429, headers });
    await expect(push()).rejects.toMatchObject({ retryAfterMs: 90_000 });
  });
});

test('a key anywhere in the reason leaves no fragment in the message', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(120), fc.nat(120), async (before, after) => {
      const message = `${'.'.repeat(before)}${apiKey}${'.'.repeat(after)}`;
      server.willAnswer({ body: { success: false, message } });
      const error: unknown = await push().catch((reason: unknown) => reason);
      const shown = inspect(error);
      for (let at = 0; at + 5 <= apiKey.length; at += 1)
        expect(shown).not.toContain(apiKey.slice(at, at + 5));
      server.takeAll();
    }),
    { numRuns: 60 },
  );
});
