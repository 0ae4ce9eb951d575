import { inspect } from 'node:util';
import type { Waiver } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiKey, pathPlugin, startBookingSystem } from './setup.ts';

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

const { server, setup } = await startBookingSystem();

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
