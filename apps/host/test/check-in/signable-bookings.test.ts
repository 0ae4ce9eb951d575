import { makeSignable } from '@waiver-service/core';
import { matchWaivers } from '@waiver-service/integration';
import { readBooking } from '@waiver-service/plugin-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectSignable, readOrRefused, hostileText as text } from '../harness/signable-bookings.ts';

const isLong = process.env.WAIVER_SERVICE_FAULTS === 'long';
const numRuns = isLong ? 10_000 : 100;
// Each guest's signing is sealed and opened, which takes milliseconds.
const maxMs = isLong ? 1_800_000 : 300_000;

const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1e21, 2 ** 60, 5e-324, -0));
const nested = fc.jsonValue({ maxDepth: 8 });
const value = fc.oneof({ weight: 4, arbitrary: text }, number, fc.constant(null), fc.boolean(), nested);
const properties = [
  'dateOfBirth',
  'height',
  'minor',
  'notes',
  'shoeSize',
  '__proto__',
  'updatedAt',
  'a\u0000',
];
const others = fc.dictionary(fc.oneof(fc.constantFrom(...properties), text), value, { maxKeys: 3 });
const id = fc.oneof(fc.constantFrom('g1', 'g2', 'G1'), text, fc.integer());
const guest = fc
  .tuple(others, fc.record({ id, name: text, email: text, phoneNumber: text }, { requiredKeys: [] }))
  .map(([first, second]) => ({ ...first, ...second }));
const time = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2190-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const booking = fc
  .tuple(
    others,
    fc.record({
      id: fc.oneof({ weight: 5, arbitrary: fc.constant('B-1') }, text),
      status: text,
      contact: fc.record({ name: text, email: text }),
      pax: fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 10 }) }, fc.maxSafeNat()),
      guests: fc.array(guest, { maxLength: 4 }),
      bookedSessions: fc.array(
        fc.record({ startsAt: time, endsAt: time, activityId: text, activityName: text }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  )
  .map(([first, second]) => ({ ...first, ...second }));

const timeZone = 'Europe/Vienna';
const prefillProperties = [...properties, 'howHeard', 'weight'];

const read = (json: string) => makeSignable(readBooking(JSON.parse(json)));

test(
  'each guest of any booking that is read can sign, on the page, sealed and by the waiver API',
  async () => {
    let reads = 0;
    await fc.assert(
      fc.asyncProperty(booking, async (given) => {
        const fetched = await readOrRefused(() => read(JSON.stringify(given)));
        if (fetched === undefined) return;
        reads += 1;
        await expectSignable(fetched, prefillProperties);
      }),
      { numRuns, verbose: fc.VerbosityLevel.None },
    );
    expect(reads).toBeGreaterThan(numRuns / 4);
  },
  maxMs,
);

test.each([
  ['many', Array.from({ length: 300 }, (_, index) => `activity ${index}`), 200],
  ['long', Array.from({ length: 150 }, (_, index) => `${index}`.padEnd(256, '\u0001')), 21],
])('a booking of too %s activities keeps those that a waiver can have', async (_, ids, kept) => {
  const time = { startsAt: '2026-06-21T08:00:00Z', endsAt: '2026-06-21T09:00:00Z' };
  const fetched = read(
    JSON.stringify({
      ...{ id: 'B-1', status: 'Active', contact: { name: 'Ann Lee' }, pax: 1 },
      guests: [{ id: 'g1', name: 'Ann Lee' }],
      // Each twice: only distinct ones count.
      bookedSessions: [...ids, ...ids].map((activityId) => ({ ...time, activityId, activityName: 'A' })),
    }),
  );
  await expectSignable(fetched, []);
  const { bookedSessions } = fetched.booking;
  expect(new Set(bookedSessions.map(({ activityId }) => activityId)).size).toBe(kept + 1);
  expect(bookedSessions).toHaveLength(2 * ids.length);
  expect(fetched.warnings).toMatchObject([
    { code: 'value_ignored', path: `bookedSessions[${kept}].activityId` },
  ]);
});

test('two guests with one id sign one waiver each, and a warning says so', () => {
  const fetched = read(
    JSON.stringify({
      ...{ id: 'B-1', status: 'Active', contact: { name: 'Ann Lee' }, pax: 2 },
      guests: [
        { id: 'g1', name: 'Ann Lee' },
        { id: 'g1', name: 'Bob Lee' },
      ],
      bookedSessions: [
        {
          startsAt: '2026-06-21T08:00:00Z',
          endsAt: '2026-06-21T09:00:00Z',
          activityId: 'a',
          activityName: 'A',
        },
      ],
    }),
  );
  expect(fetched.warnings).toMatchObject([{ code: 'guest_id_repeated', path: 'guests[0].id' }]);
  const waiver = (id: string, name: string, bookingGuestId: string | null) => ({
    ...{ id, name, bookingGuestId, currentPage: null, validUntil: null },
  });
  const signedBy = (...waivers: ReturnType<typeof waiver>[]) => {
    const { signed, missing } = matchWaivers(fetched.booking, waivers, timeZone);
    return { signed, missing: missing.map(({ name }) => name) };
  };
  // By an earlier release, or an app that knows the id.
  expect(signedBy(waiver('w1', 'ANN  Lee', 'g1'))).toEqual({ signed: 1, missing: ['Bob Lee'] });
  expect(signedBy(waiver('w1', 'Ann Lee', 'g1'), waiver('w2', 'Bob Lee', 'g1'))).toEqual({
    signed: 2,
    missing: [],
  });
  expect(signedBy(waiver('w1', 'Bob Lee', null))).toEqual({ signed: 1, missing: ['Ann Lee'] });
});
