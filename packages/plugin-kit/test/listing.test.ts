import { InvalidBookingResponse } from '@waiver-service/core';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { listedBooking, listedId, raiseForStatus, readListCursor, requiredList } from '../src/index.ts';
import { completeListing } from '../src/listing/listed-booking.ts';

const secret = 'planted-key-of-the-account';
const secrets = {
  redact: (text: string) => text.replaceAll(secret, '[redacted]'),
  redactData: (text: string) => text.replaceAll(secret, '[redacted]'),
};
const never = () => Promise.reject(new Error('not used'));
const context = {
  pool: 'p1',
  installation: 'i1',
  settings: {},
  account: { accountId: 1, apiKey: secret },
  secrets,
  signal: new AbortController().signal,
  http: { get: never, delete: never, post: never, put: never, patch: never },
};
const booking = {
  id: 'b1',
  status: secret,
  contact: { name: 'Ann' },
  pax: 1,
  guests: [],
  bookedSessions: [],
};
const request = { from: '2027-01-01T00:00:00Z', until: '2027-01-02T00:00:00Z', limit: 10 };

test('secrets that were sent are in no list, change, warning or error', async () => {
  const warnings = [{ code: 'value_ignored' as const, message: `it says ${secret}` }];
  const plugin = completeListing({
    displayName: 'Vendor',
    listBookings: async () => ({
      bookings: [
        { bookingId: 'b1', fetched: { form: 'native', booking: { ...booking }, warnings } },
        { bookingId: 'b2', problem: new InvalidBookingResponse(`it has ${secret}`) },
      ],
    }),
    changesSince: () => Promise.reject(new InvalidBookingResponse(`it has ${secret}`)),
    checkAccess: async () => ({ warnings }),
  });
  const page = await plugin.listBookings?.(context, request);
  expect(page?.bookings).toHaveLength(2);
  expect(page?.bookings[0]?.fetched?.booking.status).toBe('[redacted]');
  expect(page?.bookings[1]?.problem?.message).toBe('it has [redacted]');
  expect(JSON.stringify(page)).not.toContain(secret);
  expect(JSON.stringify(await plugin.checkAccess?.(context))).not.toContain(secret);
  const changes = plugin.changesSince?.(context, { cursor: undefined, now: new Date() });
  await expect(changes).rejects.toThrow('it has [redacted]');
});

test.each(['a\u0000', '\ud800', 'x'.repeat(2_001)])(
  'a cursor of changes that cannot be kept is an invalid answer',
  async (cursor) => {
    const plugin = completeListing({
      displayName: 'Vendor',
      changesSince: async () => ({ bookingIds: [], cursor, hasMore: false }),
    });
    const changes = plugin.changesSince?.(context, { cursor: undefined, now: new Date() });
    await expect(changes).rejects.toThrow(InvalidBookingResponse);
  },
);

test('a judged answer that there is no such booking is, for a list, about the address', async () => {
  const plugin = completeListing({
    displayName: 'Vendor',
    judgeAnswer: () => ({ meaning: 'not-found' }),
    checkAccess: async ({ http }) => {
      await http.get('me');
      return { warnings: [] };
    },
  });
  const get = async () => ({ status: 400, headers: {}, data: {} });
  const checked = plugin.checkAccess?.({ ...context, http: { ...context.http, get } });
  await expect(checked).rejects.toMatchObject({ code: 'booking_system_error' });
});

test('a booking that cannot be read does not cost the others', async () => {
  const refuse = () => {
    throw new InvalidBookingResponse('no pax');
  };
  await expect(listedBooking('b1', refuse)).resolves.toMatchObject({
    bookingId: 'b1',
    problem: { message: 'no pax' },
  });
  expect(listedId(17)).toBe('17');
  expect(() => listedId(undefined)).toThrow('without an id');
  const fault = () => {
    throw new TypeError('a bug');
  };
  await expect(listedBooking('b1', fault)).rejects.toThrow('a bug');
});

test('a booking that cannot be read is told by its code, whichever copy of core a plugin has', async () => {
  vi.resetModules();
  const copy = await import('@waiver-service/core');
  const problem = new copy.InvalidBookingResponse('no pax');
  expect(problem).not.toBeInstanceOf(InvalidBookingResponse);
  const listed = listedBooking('b1', () => Promise.reject(problem));
  await expect(listed).resolves.toMatchObject({ bookingId: 'b1', problem: { message: 'no pax' } });
});

test('a list is a list of objects, a cursor what the plugin wrote, and a status an error', () => {
  expect(requiredList([{ a: 1 }], 'data')).toEqual([{ a: 1 }]);
  for (const found of [undefined, {}, [1], [[]], 'x'])
    expect(() => requiredList(found, 'data')).toThrow('data');
  expect(readListCursor(z.int(), '7')).toBe(7);
  for (const cursor of ['', '{', '"7"', '7.5']) {
    expect(() => readListCursor(z.int(), cursor)).toThrow(
      expect.objectContaining({ code: 'malformed_list_cursor' }),
    );
  }
  const raiseFor = (status: number) =>
    raiseForStatus({ status, headers: {}, data: undefined }, { bookingSystem: 'Vendor', purpose: 'other' });
  raiseFor(204);
  expect(() => raiseFor(404)).toThrow('status 404');
});
