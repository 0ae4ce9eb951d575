import { inspect } from 'node:util';
import type { Waiver } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defineBookingSystem } from '../src/index.ts';
import { currentBody } from './bookings.ts';
import { apiKey, byPath, pathPlugin, queryPlugin, startBookingSystem } from './setup.ts';

const { server, setup } = await startBookingSystem();

describe('a booking that is read', () => {
  const read = (bookingId = 'BK-1042', plugin = pathPlugin) =>
    plugin.fetchBooking(setup.context(plugin), bookingId);

  describe('the request', () => {
    test('is the same for a base address that ends in a slash', async () => {
      server.willAnswer({ body: currentBody() });
      await pathPlugin.fetchBooking(setup.context(pathPlugin, { baseUrl: `${server.baseUrl}/` }), 'BK-1042');
      expect(server.takeRequest().url).toMatch(/^\/partner\/api\/bookings\/BK-1042\?/);
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
});

describe('a waiver that is written', () => {
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

  const push = async (toPush: Waiver = waiver) =>
    pathPlugin.pushWaiver?.(setup.context(pathPlugin, { purpose: 'guest-update' }), toPush);

  describe('the request', () => {
    test('names a guest by the waiver id if the guest id is empty', async () => {
      await push({ ...waiver, id: 'w', bookingGuestId: '' });
      expect(server.takeRequest().url).toContain('/guests/w?');
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
});
