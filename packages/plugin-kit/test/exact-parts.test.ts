import {
  bookedSessionSchema,
  bookingSchema,
  contactSchema,
  currentBookingSchema,
  guestSchema,
  InvalidBookingResponse,
  legacyBookingSchema,
  utcDateTimeSchema,
} from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSessionTolerantly } from '../src/current/read-current-booking.ts';
import { readCurrentBooking, readLegacyBooking } from '../src/index.ts';
import { readActivityTolerantly, sessionOfExactActivity } from '../src/legacy/read-legacy-booking.ts';
import {
  assembleBooking,
  assembleTolerantly,
  exactGuest,
  readContactTolerantly,
  readGuestTolerantly,
  warnOfNamelessGuests,
} from '../src/reading/assemble-booking.ts';
import {
  hasExactFields,
  isExactContact,
  isExactDateTime,
  isExactSession,
} from '../src/reading/exact-parts.ts';
import type { JsonObject } from '../src/reading/json.ts';
import { Reading } from '../src/reading/reading.ts';
import * as nearly from './nearly-exact.ts';

function isUntroubled(reading: Reading): boolean {
  try {
    reading.throwIfRefused();
    return reading.warnings.length === 0;
  } catch {
    return false;
  }
}

interface Shortcut {
  readonly values: fc.Arbitrary<JsonObject>;
  /** The fast path; `undefined` for a value that does not conform exactly. */
  readonly exact: (value: JsonObject) => unknown;
  /** The tolerant reader. */
  readonly read: (reading: Reading, value: JsonObject) => unknown;
  readonly isOfSchema: (value: JsonObject) => boolean;
}

const isOfLegacyActivity = (activity: JsonObject) =>
  legacyBookingSchema.shape.activities.safeParse([activity]).success;
const isOfGuest = (guest: JsonObject) =>
  guestSchema.safeParse(guest).success || legacyBookingSchema.shape.guests.safeParse([guest]).success;
const times = { startsAt: '2026-05-01T09:30:00Z', endsAt: '2026-05-01T11:00:00Z' };
const {
  contact: _contact,
  guests: _guests,
  bookedSessions: _sessions,
  ...plainFields
} = currentBookingSchema.shape;
const rest = { contact: { name: 'Ada' }, guests: [] };

const shortcuts: Record<string, Shortcut> = {
  'a contact': {
    values: nearly.contact,
    exact: (value) => (isExactContact(value) ? value : undefined),
    read: (reading, value) => readContactTolerantly(reading, value, 'contact'),
    isOfSchema: (value) => contactSchema.safeParse(value).success,
  },
  'a guest': {
    values: nearly.guest,
    exact: exactGuest,
    read: (reading, value) => {
      const guest = readGuestTolerantly(reading, value, 'guests[0]');
      warnOfNamelessGuests(reading, [guest], 'guests');
      return guest;
    },
    isOfSchema: isOfGuest,
  },
  'a session': {
    values: nearly.session,
    exact: (value) => (isExactSession(value) ? value : undefined),
    read: (reading, value) => readSessionTolerantly(reading, value, 'bookedSessions[0]'),
    isOfSchema: (value) => bookedSessionSchema.safeParse(value).success,
  },
  'an activity': {
    values: nearly.activity,
    exact: (value) => sessionOfExactActivity(value, times),
    read: (reading, value) => readActivityTolerantly(reading, value, 'activities[0]', times),
    isOfSchema: isOfLegacyActivity,
  },
  'the plain fields': {
    values: nearly.fields.map((value) => ({ ...value, ...rest })),
    exact: (value) => (hasExactFields(value) ? assembleBooking(new Reading(), value, []) : undefined),
    read: (reading, value) => assembleTolerantly(reading, value, []),
    isOfSchema: (value) =>
      Object.entries(plainFields).every(([name, schema]) => schema.safeParse(value[name]).success),
  },
};

describe('the fast path agrees with the tolerant reader and the published schema', () => {
  test.each(Object.entries(shortcuts))('%s', (_name, { values, exact, read, isOfSchema }) => {
    let taken = 0;
    fc.assert(
      fc.property(values, (value) => {
        const reading = new Reading();
        const expected = read(reading, structuredClone(value));
        const result = exact(value);
        if (result === undefined) {
          // Read without a warning, but not unchanged: an id under both names, or one of them `null`.
          const isUnchanged = isUntroubled(reading) && fc.stringify(expected) === fc.stringify(value);
          expect(isUnchanged).toBe(false);
          return;
        }
        taken += 1;
        expect(isUntroubled(reading)).toBe(true);
        expect(result).toEqual(expected);
        expect(isOfSchema(value)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(200);
  });

  test.each(['{"toString":0}', '{"toString":null,"valueOf":1}', '[{"toString":0}]'])(
    'a guest is read whose other id cannot become a text: %s',
    (text) => {
      const guest = { id: 'g-1', guestId: JSON.parse(text) };
      expect(readGuestTolerantly(new Reading(), guest, 'guests[0]')).toEqual(guest);
    },
  );

  test('a date-time conforms exactly where the published schema accepts it, unless it lacks seconds', () => {
    fc.assert(
      fc.property(nearly.dateTime, (value) => {
        const isOfSchema = utcDateTimeSchema.safeParse(value).success;
        const hasSeconds = typeof value === 'string' && value.split(':').length === 3;
        expect(isExactDateTime(value)).toBe(isOfSchema && hasSeconds);
      }),
      { numRuns: 5000 },
    );
  });
});

// Rules that the published schemas do not express: texts that are not blank, combinations of fields, seconds.
const warningBeyondTheSchemas =
  /^(both_forms|contact_incomplete|guest_without_name|value_ignored|date_time_rewritten) |^session_incomplete activities$|\.guestId$/;
const issueBeyondTheSchemas = /^id is empty$|\.guestId is /;

// In either form, a guest may have no id.
const legacySchema = legacyBookingSchema.extend({ guests: bookingSchema.shape.guests });

describe('a body is read without a warning if the published schema accepts it', () => {
  test.each([
    ['current', nearly.currentBooking, currentBookingSchema, readCurrentBooking],
    ['legacy', nearly.legacyBooking, legacySchema, readLegacyBooking],
  ] as const)('in the %s form', (_form, bodies, schema, read) => {
    let silent = 0;
    fc.assert(
      fc.property(bodies, (body) => {
        const isOfSchema = schema.safeParse(body).success;
        try {
          const { warnings } = read(body);
          if (isOfSchema) {
            for (const { code, path } of warnings) expect(`${code} ${path}`).toMatch(warningBeyondTheSchemas);
          }
          if (warnings.length > 0) return;
          silent += 1;
          expect(isOfSchema).toBe(true);
        } catch (error) {
          if (!(error instanceof InvalidBookingResponse)) throw error;
          if (!isOfSchema) return;
          for (const { path, message } of error.issues) {
            expect(`${path} ${message}`).toMatch(issueBeyondTheSchemas);
          }
        }
      }),
      { numRuns: 2000 },
    );
    expect(silent).toBeGreaterThan(100);
  });
});
