import { InvalidBookingResponse } from '@waiver-service/core';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  type ChangeSearch,
  changesWithOverlap,
  listedBooking,
  listedId,
  listPage,
  raiseForStatus,
  readAllPages,
  readListCursor,
  requiredList,
} from '../src/index.ts';
import { completeListing } from '../src/listing.ts';

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

test('the pages of a list keep the size of the first, at most the vendor’s', () => {
  const first = listPage({ limit: 40 }, 50);
  expect(first).toMatchObject({ page: 1, size: 40, offset: 0 });
  const second = listPage({ limit: 10, cursor: first.next }, 50);
  expect(second).toMatchObject({ page: 2, size: 40, offset: 40 });
  expect(listPage({ limit: 10, cursor: second.next }, 50)).toMatchObject({ page: 3, offset: 80 });
  expect(listPage({ limit: 100 }, 50).size).toBe(50);
});

test.each(['', '2', '{"page":1,"size":10}', '{"page":2,"size":51}', '{"page":2,"size":0}', '{"page":2}'])(
  'the cursor %j of a list is refused',
  (cursor) => {
    expect(() => listPage({ limit: 10, cursor }, 50)).toThrow(
      expect.objectContaining({ code: 'malformed_list_cursor' }),
    );
  },
);

test('all pages are read until the vendor has no more, or sends an empty one', async () => {
  const places: object[] = [];
  const pagesOf = (pages: readonly (readonly number[])[], hasNext: (page: number) => boolean) =>
    readAllPages(async (place) => {
      places.push(place);
      return { items: pages[place.page - 1] ?? [], hasNext: hasNext(place.page) };
    });
  expect(await pagesOf([[1, 2], [3]], (page) => page < 2)).toEqual([1, 2, 3]);
  expect(places).toEqual([
    { page: 1, offset: 0 },
    { page: 2, offset: 2 },
  ]);
  expect(await pagesOf([[1], []], () => true)).toEqual([1]);
  const endless = readAllPages(async () => ({ items: [1], hasNext: true }), 3);
  await expect(endless).rejects.toThrow('more than 3 pages');
});

const minute = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2027, 5, 11) + minutes * minute);

/** A search whose pages and periods are recorded. */
function recorded(pages: readonly (number | undefined)[], more: Partial<ChangeSearch<number>> = {}) {
  const asked: [since: number, until: number, page: number | undefined][] = [];
  const minutesOf = (time: Date) => (time.getTime() - at(0).getTime()) / minute;
  const search: ChangeSearch<number> = {
    pageSchema: z.int().min(2),
    async search({ since, until }, page) {
      asked.push([minutesOf(since), minutesOf(until), page]);
      return { bookingIds: [`B${asked.length}`], next: pages[asked.length - 1] };
    },
    ...more,
  };
  return { asked, search };
}

test('changes are searched from a minute before the last search began, page by page', async () => {
  const { asked, search } = recorded([2, undefined, undefined]);
  const first = await changesWithOverlap({ cursor: undefined, now: at(0) }, search);
  expect(first).toMatchObject({ bookingIds: [], hasMore: false });
  expect(asked).toEqual([]);
  const second = await changesWithOverlap({ cursor: first.cursor, now: at(5) }, search);
  expect(second).toMatchObject({ bookingIds: ['B1'], hasMore: true });
  const third = await changesWithOverlap({ cursor: second.cursor, now: at(8) }, search);
  expect(third).toMatchObject({ bookingIds: ['B2'], hasMore: false });
  await changesWithOverlap({ cursor: third.cursor, now: at(10) }, search);
  expect(asked).toEqual([
    [-1, 5, undefined],
    [-1, 5, 2],
    [4, 10, undefined],
  ]);
});

test('a long period is searched in the parts that the vendor allows', async () => {
  const { asked, search } = recorded([], { maxPeriodMs: 10 * minute });
  let { cursor } = await changesWithOverlap({ cursor: undefined, now: at(0) }, search);
  const more: boolean[] = [];
  for (let call = 0; call < 3; call += 1) {
    const changes = await changesWithOverlap({ cursor, now: at(25) }, search);
    more.push(changes.hasMore);
    ({ cursor } = changes);
  }
  expect(asked).toEqual([
    [-1, 9, undefined],
    [9, 19, undefined],
    [19, 25, undefined],
  ]);
  expect(more).toEqual([true, true, false]);
});

test.each([
  '',
  '{}',
  '{"since":-1}',
  '{"since":1e20}',
  '{"since":1,"rest":{"until":2,"nextSince":2,"page":1}}',
])('the cursor %j of changes is refused', async (cursor) => {
  const { asked, search } = recorded([]);
  await expect(changesWithOverlap({ cursor, now: at(0) }, search)).rejects.toMatchObject({
    code: 'malformed_list_cursor',
  });
  expect(asked).toEqual([]);
});
