import { type BookingSystemErrorCode, bookingSchema, type ListedBookings } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { all, checksAccess, lists, listsChanges, readsNative } from '../conditions.ts';
import { expectRejection } from '../expectations.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { exchanging, inScenario } from '../native/exchanging.ts';
import type { NativeList } from '../native/native-scenarios.ts';
import { listedIn } from '../native/play-scenarios.ts';

const section = 'plugin interface, lists and changes';

const listsBookings = all(readsNative, lists);
const asksForChanges = all(readsNative, listsChanges);
const checksAccounts = all(readsNative, checksAccess);

const maxCursorLength = 2_000;

const failures: readonly (readonly [number, BookingSystemErrorCode])[] = [
  [401, 'booking_system_auth_rejected'],
  [404, 'booking_system_error'],
  [429, 'booking_system_rate_limited'],
  [500, 'booking_system_error'],
];

// No plugin writes any of these as a cursor.
const foreignCursors = [
  '',
  ' ',
  'x',
  '{}',
  '[]',
  '-1',
  '1.5',
  'null',
  '{"since":"x"}',
  '\u0000',
  'a'.repeat(2_000),
];

/** Expects each of the vendor's failures to cause the same error as for a read. */
async function expectFailures(kit: ClauseKit, method: string, call: () => Promise<unknown>): Promise<void> {
  for (const [status, code] of failures) {
    kit.partner.willAnswer(method, status === 401 ? kit.refusedKey(status) : { status });
    await expectRejection(call(), code);
  }
}

function givenBy<T>(kit: ClauseKit, scenarios: T | undefined, name: string): T {
  if (scenarios !== undefined) return scenarios;
  throw new Error(`${kit.plugin.installName} declares it, so native.${name} must be given`);
}

function expectListed(page: ListedBookings, expected: NativeList['pages'][number]['bookings']): void {
  expect(listedIn(page)).toEqual(expected);
  for (const { fetched } of page.bookings) if (fetched !== undefined) bookingSchema.parse(fetched.booking);
}

const requestOf = ({ from, until, limit = 100 }: NativeList) => ({ from, until, limit });

/** Lists, changes and account checks, by the scenarios in the plugin's test. */
export const listingClauses: readonly Clause[] = [
  {
    id: 'lists/pages',
    section,
    title:
      'each page of a list is asked for with the cursor of the one before, and has the expected bookings',
    appliesTo: listsBookings,
    async run(kit) {
      for (const list of givenBy(kit, kit.native.lists, 'lists')) {
        let cursor: string | undefined;
        for (const [place, { exchanges, bookings }] of list.pages.entries()) {
          await inScenario(`${list.name}, page ${place + 1}`, async () => {
            const page = await exchanging(kit, exchanges, () => kit.list({ ...requestOf(list), cursor }));
            expectListed(page, bookings);
            const isLast = place === list.pages.length - 1;
            expect(page.next === undefined, 'is it the last one').toBe(isLast);
            cursor = page.next;
            expect((cursor ?? '').length).toBeLessThanOrEqual(maxCursorLength);
          });
        }
      }
    },
  },
  {
    id: 'lists/errors',
    section,
    title: 'a list that the vendor does not answer is the error that a read would be',
    appliesTo: listsBookings,
    async run(kit) {
      const [list] = givenBy(kit, kit.native.lists, 'lists');
      const { method } = list.pages[0].exchanges[0].request;
      await expectFailures(kit, method, () => kit.list(requestOf(list)));
    },
  },
  {
    id: 'lists/cursor',
    section,
    title: 'a cursor that the plugin did not make is refused, without a request',
    appliesTo: listsBookings,
    async run(kit) {
      const [list] = givenBy(kit, kit.native.lists, 'lists');
      for (const cursor of foreignCursors) {
        await expectRejection(kit.list({ ...requestOf(list), cursor }), 'malformed_list_cursor');
      }
      expect(kit.partner.requests).toEqual([]);
    },
  },
  {
    id: 'changes/steps',
    section,
    title: 'changes are asked for from the cursor of the call before; the first one tells nothing',
    appliesTo: asksForChanges,
    async run(kit) {
      let cursor: string | undefined;
      for (const { now, exchanges, bookingIds, hasMore } of givenBy(kit, kit.native.changes, 'changes')) {
        await inScenario(`changes at ${now}`, async () => {
          const ask = () => kit.changes({ cursor, now: new Date(now) });
          const changes = await exchanging(kit, exchanges, ask);
          expect({ bookingIds: changes.bookingIds, hasMore: changes.hasMore }).toEqual({
            bookingIds,
            hasMore,
          });
          ({ cursor } = changes);
          expect(cursor.length).toBeLessThanOrEqual(maxCursorLength);
        });
      }
    },
  },
  {
    id: 'changes/errors',
    section,
    title: 'changes that the vendor does not tell are the error that a read would be',
    appliesTo: asksForChanges,
    async run(kit) {
      const [first, second] = givenBy(kit, kit.native.changes, 'changes');
      const { cursor } = await kit.changes({ cursor: undefined, now: new Date(first.now) });
      const method = second.exchanges[0]?.request.method ?? 'GET';
      await expectFailures(kit, method, () => kit.changes({ cursor, now: new Date(second.now) }));
    },
  },
  {
    id: 'changes/cursor',
    section,
    title: 'a cursor that the plugin did not make is refused, without a request',
    appliesTo: asksForChanges,
    async run(kit) {
      for (const cursor of foreignCursors) {
        await expectRejection(kit.changes({ cursor, now: kit.now }), 'malformed_list_cursor');
      }
      expect(kit.partner.requests).toEqual([]);
    },
  },
  {
    id: 'access/accepted',
    section,
    title: 'an account that the vendor accepts is accepted, by exactly the requests of the scenario',
    appliesTo: checksAccounts,
    async run(kit) {
      const exchanges = givenBy(kit, kit.native.access, 'access');
      expect((await exchanging(kit, exchanges, () => kit.checkAccess())).warnings).toEqual([]);
    },
  },
  {
    id: 'access/errors',
    section,
    title: 'an account that the vendor does not accept is the error that a read would be',
    appliesTo: checksAccounts,
    async run(kit) {
      const [{ request }] = givenBy(kit, kit.native.access, 'access');
      await expectFailures(kit, request.method, () => kit.checkAccess());
    },
  },
];
