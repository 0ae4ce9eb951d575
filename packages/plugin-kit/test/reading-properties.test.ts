import { bookingSchema, isBookingSystemError } from '@waiver-service/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBooking, readCurrentBooking, readLegacyBooking } from '../src/index.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const nonEmptyText = text.filter((value) => value.trim() !== '');
const dateTime = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const otherFields = (...taken: string[]) =>
  fc.dictionary(
    text.filter((name) => !taken.includes(name) && name !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  );
const withOthers = <T extends object>(fields: fc.Arbitrary<T>, ...taken: string[]) =>
  fc.tuple(otherFields(...taken), fields).map(([others, known]) => ({ ...others, ...known }));

const person = { email: text, phoneNumber: text };
const guest = withOthers(
  fc.record({ id: nonEmptyText, name: nonEmptyText, ...person }, { requiredKeys: ['id', 'name'] }),
  'id',
  'guestId',
  'name',
  'email',
  'phoneNumber',
);
const contact = withOthers(
  fc.record({ name: nonEmptyText, ...person }, { requiredKeys: ['name'] }),
  'name',
  'email',
  'phoneNumber',
);
const session = { startsAt: dateTime, endsAt: dateTime, activityId: text, activityName: text };
const taken = [
  'id',
  'status',
  'contact',
  'pax',
  'guests',
  'notes',
  'bookedSessions',
  'startsAt',
  'endsAt',
  'activities',
  'statusGroup',
];
const shared = {
  id: nonEmptyText,
  status: text,
  contact,
  pax: fc.nat(),
  guests: fc.array(guest, { maxLength: 4 }),
  notes: text,
};
const currentBooking = withOthers(
  fc.record(
    {
      ...shared,
      bookedSessions: fc.array(withOthers(fc.record(session), ...Object.keys(session)), {
        minLength: 1,
        maxLength: 4,
      }),
    },
    { requiredKeys: ['id', 'status', 'contact', 'pax', 'guests', 'bookedSessions'] },
  ),
  ...taken,
);
// Bookings that the legacy form can express without loss: every session at the same time.
const atOneTime = fc.tuple(currentBooking, dateTime, dateTime).map(([booking, startsAt, endsAt]) => ({
  ...booking,
  bookedSessions: booking.bookedSessions.map((one) => ({ ...one, startsAt, endsAt })),
}));

test('any booking in the current form is read unchanged, without a warning', () => {
  fc.assert(
    fc.property(currentBooking, (booking) => {
      expect(readCurrentBooking(JSON.parse(JSON.stringify(booking)))).toEqual({
        form: 'current',
        booking: JSON.parse(JSON.stringify(booking)),
        warnings: [],
      });
    }),
  );
});

test('any booking that converts to the legacy form without loss is read back equal', () => {
  fc.assert(
    fc.property(
      atOneTime.filter((booking) => booking.bookedSessions.every((one) => !('activity' in one))),
      (booking) => {
        const { bookedSessions, guests, ...rest } = booking;
        const legacy = {
          ...rest,
          startsAt: bookedSessions[0]?.startsAt,
          endsAt: bookedSessions[0]?.endsAt,
          activities: bookedSessions.map(({ startsAt: _s, endsAt: _e, activityName, ...one }) => ({
            ...one,
            activity: activityName,
          })),
          guests: guests.map(({ id, ...one }) => ({ ...one, guestId: id })),
        };
        const read = readLegacyBooking(JSON.parse(JSON.stringify(legacy)));
        expect(read).toEqual({ form: 'legacy', booking: JSON.parse(JSON.stringify(booking)), warnings: [] });
      },
    ),
  );
});

// JSON values biased towards the shape of a booking.
const nearly = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      null,
      '',
      0,
      '7',
      2 ** 60,
      [],
      {},
      '2026-05-01T09:30:00+0200',
      '2026-05-01T09:30',
    ),
  },
);
const nearlyGuest = fc.dictionary(fc.constantFrom('id', 'guestId', 'name', 'email', 'x'), nearly);
const nearlySession = fc.dictionary(
  fc.constantFrom('startsAt', 'endsAt', 'activityId', 'activityName', 'activity'),
  nearly,
);
const listOrAnything = (item: fc.Arbitrary<unknown>) => fc.oneof(fc.array(fc.oneof(item, nearly)), nearly);
const nearlyBooking = fc.record(
  {
    id: fc.oneof(text, nearly),
    status: fc.oneof(text, nearly),
    contact: fc.oneof(nearlyGuest, contact, nearly),
    pax: fc.oneof(fc.nat(), nearly),
    guests: listOrAnything(nearlyGuest),
    notes: nearly,
    statusGroup: nearly,
    bookedSessions: listOrAnything(nearlySession),
    activities: listOrAnything(nearlySession),
    startsAt: fc.oneof(dateTime, nearly),
    endsAt: fc.oneof(dateTime, nearly),
  },
  { requiredKeys: [] },
);

test('any JSON yields a booking that passes the published schema, or one of core’s errors', () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        nearlyBooking,
        fc.tuple(currentBooking, nearlyBooking).map(([good, bad]) => ({
          ...good,
          ...bad,
          bookedSessions: good.bookedSessions,
          contact: good.contact,
          pax: good.pax,
        })),
      ),
      (body) => {
        for (const reader of [readBooking, readCurrentBooking, readLegacyBooking]) {
          try {
            const { booking } = reader(body);
            read += 1;
            expect(bookingSchema.safeParse(booking).error).toBeUndefined();
          } catch (error) {
            if (!isBookingSystemError(error)) throw error;
            expect(error.code).toBe('invalid_booking_response');
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
  expect(read).toBeGreaterThan(0);
});
