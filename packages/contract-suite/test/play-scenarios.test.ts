import type { BookingSystemPlugin } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import type { NativeScenarios, SimulatedGuestUpdate } from '../src/index.ts';
import { allClauses, clausesFor, runClause } from '../src/run-contract-suite.ts';
import { withParts } from './bad-plugins/alterations.ts';
import { goodNativePlugin, nativeOptions, simulatedNotes } from './good-native-plugin.ts';

const { native } = nativeOptions;
const unreadable = (bookingId: string) => ({ bookingId, isUnreadable: true }) as const;
const day = { from: '2027-06-12T00:00:00.000Z', until: '2027-06-13T00:00:00.000Z' };
const added: SimulatedGuestUpdate = {
  name: 'a line is added',
  waiver: { id: 'w1' },
  vendor: simulatedNotes('staff'),
  after: 'staff\nwaiver w1',
  expected: { warnings: [] },
};
const gone: SimulatedGuestUpdate = {
  name: 'the reservation is gone',
  waiver: { bookingId: 'R2' },
  vendor: simulatedNotes('staff'),
  expected: { code: 'booking_system_error' },
};
const scenarios = {
  ...native,
  guestUpdates: [added, gone, ...(native.guestUpdates ?? [])],
  lists: [
    {
      name: 'pages',
      ...day,
      limit: 2,
      vendor: simulatedNotes(''),
      bookings: ['R/7', 'R/8', 'R/9'].map(unreadable),
    },
  ],
  changes: {
    vendor: simulatedNotes(''),
    steps: [
      { now: '2027-06-12T07:00:00.000Z', bookingIds: [], hasMore: false },
      { now: '2027-06-12T08:00:00.000Z', bookingIds: ['R/1'], hasMore: false },
    ],
  },
  access: simulatedNotes(''),
} as const satisfies NativeScenarios;

/** The clauses that a plugin violates, with the message of each failure. */
async function failuresOf(
  changes: Partial<NativeScenarios>,
  plugin: BookingSystemPlugin = goodNativePlugin,
  clauses = allClauses.filter(({ id }) => id === 'native/simulated'),
): Promise<string[]> {
  const failures: string[] = [];
  for (const clause of clauses) {
    const options = { ...nativeOptions, native: { ...scenarios, ...changes } };
    await runClause(clause, plugin, options).catch((error) =>
      failures.push(`${clause.id}: ${error.message}`),
    );
  }
  return failures;
}

describe('scenarios of a simulated vendor', () => {
  test('serve every other clause as exchanges do', async () => {
    const short = /timeout|too-large|^secrets/;
    const clauses = clausesFor(goodNativePlugin).filter(({ id }) => !short.test(id));
    expect(await failuresOf({}, goodNativePlugin, clauses)).toEqual([]);
  });

  test('fail where the vendor refuses a request, or would be asked to write although nothing is to change', async () => {
    const elsewhere = withParts(
      { checkAccess: async ({ http }) => http.get('us').then(() => ({ warnings: [] })) },
      goodNativePlugin,
    );
    expect(await failuresOf({}, elsewhere)).toEqual([expect.stringContaining('GET /us (status 404)')]);
    const same = { ...added, vendor: simulatedNotes('staff\nwaiver w1') };
    const { after: _unchanged, ...unchanged } = same;
    expect(await failuresOf({ guestUpdates: [unchanged] })).toEqual([
      expect.stringContaining('PUT /reservations/R%2F1/note/v1 (status 200)'),
    ]);
    expect(await failuresOf({ guestUpdates: [same] })).toEqual([]);
  });

  test('fail where a booking of a list is lost, also between pages of two lengths, or a change is not told', async () => {
    const [list] = scenarios.lists;
    expect(await failuresOf({ lists: [{ ...list, bookings: list.bookings.slice(1) }] })).toHaveLength(1);
    const numbering = withParts(
      {
        async listBookings(context, request) {
          const account = goodNativePlugin.accountSchema.parse(context.account);
          const cursor = request.cursor?.replace(/^\d+/, String(request.limit));
          const own = { ...context, settings: {}, account };
          const page = await goodNativePlugin.listBookings?.(own, { ...request, cursor });
          return page ?? { bookings: [] };
        },
      },
      goodNativePlugin,
    );
    expect(await failuresOf({}, numbering)).toEqual([expect.stringContaining('pages of other lengths')]);
    const [first, second] = scenarios.changes.steps;
    const changes = { ...scenarios.changes, steps: [first, { ...second, bookingIds: [] }] } as const;
    expect(await failuresOf({ changes })).toEqual([expect.stringContaining('changes at 2027-06-12T08:00')]);
  });
});
