import { makeSignable } from '@waiver-service/core';
import { sealEnvelope } from '@waiver-service/forms/envelope';
import { matchWaivers } from '@waiver-service/integration';
import { readBooking } from '@waiver-service/plugin-kit';
import { isLong, makeLink } from '@waiver-service/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  confirmed,
  expectSignable,
  readOrRefused,
  hostileText as text,
} from '../harness/signable-bookings.ts';
import { type CheckInHost, startCheckInHost } from '../harness/test-host.ts';

describe('whatever a booking contains', () => {
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
});

describe('at a host', () => {
  let checkIn: CheckInHost;
  beforeAll(async () => {
    checkIn = await startCheckInHost();
    await checkIn.host.admin('PUT', '/v1/admin/pools/rafting', {
      ...{ name: 'rafting', timeZone: 'Europe/Berlin' },
      prefillProperties: ['notes', 'dateOfBirth', 'shoeSize', 'height'],
    });
  });
  afterAll(() => checkIn?.close());

  const time = { startsAt: '2027-06-12T08:00:00Z', endsAt: '2027-06-14T09:00:00Z' };

  /** A booking with one text in each of its fields. */
  function bookingWith(id: string, text: string) {
    const person = { name: text, email: text, phoneNumber: text, dateOfBirth: text, shoeSize: text };
    return {
      ...{ id, status: text, notes: text, pax: 3, height: text, [`own ${text}`]: text },
      contact: person,
      guests: ['g1', 'g2', 'g3'].map((guest) => ({ id: guest, ...person, [text]: text })),
      bookedSessions: [{ ...time, activityId: text, activityName: text }],
    };
  }

  const texts = [
    ['U+0000', 'a\u0000b'],
    ['half a surrogate pair', '\ud83d'],
    ['line breaks', 'Ann\r\nBcc: all@example.com\u2028'],
    ['an escape code', '\u001b[2J'],
    ['nothing visible', '\u3164'],
    ['spaces', '   '],
    ['nothing', ''],
    ['a long text', 'é'.repeat(600)],
    ['a very long text', 'x'.repeat(10_001)],
    ['a name of JavaScript’s', '__proto__'],
    ['dots', '..'],
    ['right to left', '\u202eeeL nnA'],
    ['another type’s text', '1990-02-30'],
  ] as const;

  // Of each kind: refused by PostgreSQL, invisible, too long, with a meaning to JavaScript.
  test.each(isLong ? texts : texts.filter((_, place) => [0, 4, 8, 9].includes(place)))(
    'each guest of a booking with %s everywhere can sign: online, sealed and by the waiver API',
    async (name, text) => {
      const { app, host, system, form } = checkIn;
      const bookingId = `BK-${name}`;
      system.bookings.add(bookingWith(bookingId, text));
      const openLink = async (bookingGuestId: string) => {
        const token = await makeLink(app, 'rafting', { bookingId, bookingGuestId });
        const { status, body } = await host.as(token)('GET', '/check-in/api/session');
        expect([status, body.guests[0]?.bookingGuestId], JSON.stringify(body)).toEqual([200, bookingGuestId]);
        const typed = checkIn.signing(['1990-02-28'], { bookingGuestIds: [bookingGuestId] });
        return { token, body, signing: confirmed(typed, form.content, body.guests[0].prefill) };
      };
      const online = await openLink('g1');
      const signed = await host.as(online.token)('POST', '/check-in/api/signings', online.signing);
      expect([signed.status, signed.text.slice(0, 300)]).toEqual([201, expect.anything()]);
      const { token, body: session, signing } = await openLink('g2');
      const envelope = await sealEnvelope(session.sealing, JSON.stringify({ token, signing }));
      const path = `/check-in/api/sealed-signings/${session.sealing.id}`;
      const sealed = await host.as(null)('POST', path, { envelope });
      expect([sealed.status, sealed.text.slice(0, 300)]).toEqual([201, expect.anything()]);
      const { body: read } = await app('GET', `/v1/pools/rafting/bookings/${encodeURIComponent(bookingId)}`);
      const activities = read.booking.bookedSessions.flatMap(
        ({ activityId }: { activityId?: string }) => activityId ?? [],
      );
      const { bookingGuestId, prefill } = read.guests[2];
      const answers = { name: 'Ann Lee', ...prefill };
      const waiver = await app('POST', '/v1/pools/rafting/waivers', {
        ...{ bookingId, bookingGuestId, activities, answers },
      });
      expect([waiver.status, waiver.text.slice(0, 300)]).toEqual([201, expect.anything()]);
      const { body: after } = await app('GET', `/v1/pools/rafting/bookings/${encodeURIComponent(bookingId)}`);
      expect(after.waivers).toMatchObject({ signed: 3, missing: [] });
    },
  );
});
