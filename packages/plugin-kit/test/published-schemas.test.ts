import {
  bookingSchema,
  currentBookingSchema,
  InvalidBookingResponse,
  legacyBookingSchema,
  utcDateTimeSchema,
} from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCurrentBooking, readLegacyBooking } from '../src/index.ts';
import { contractDateTime } from '../src/reading/fields.ts';
import type { JsonObject } from '../src/reading/json.ts';
import { Reading } from '../src/reading/reading.ts';

const oddity = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 7, 1.5, 2 ** 53, 2 ** 60, true, [], {}, ['x'], { a: 'x' }),
  fc.jsonValue({ maxDepth: 1 }),
);
const mostly = (belongs: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 15, arbitrary: belongs }, { weight: 1, arbitrary: oddity });

// Through JSON.parse, so that `__proto__` is an ordinary field.
function object(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  requiredKeys: readonly string[] = Object.keys(fields),
): fc.Arbitrary<JsonObject> {
  const others = fc.dictionary(
    fc.oneof(fc.constantFrom('__proto__', 'age'), fc.string({ maxLength: 3 })),
    fc.jsonValue({ maxDepth: 1 }),
    { maxKeys: 2 },
  );
  const known = fc.record(fields, { requiredKeys: [...requiredKeys] });
  const both = fc.oneof(
    { weight: 15, arbitrary: known },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  );
  return fc.tuple(others, both).map((parts) => JSON.parse(JSON.stringify(Object.assign({}, ...parts))));
}

const text = mostly(
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u00a0', '2') },
    { weight: 9, arbitrary: fc.oneof(fc.constantFrom('Ada', 'g1'), fc.string({ minLength: 1 })) },
  ),
);

const padded = (max: number) => fc.integer({ min: 0, max }).map((number) => `${number}`.padStart(2, '0'));
const written = fc
  .tuple(
    fc.constantFrom('2024', '2026', '1900', '2000', '0000', '26'),
    fc.oneof(padded(13), fc.constantFrom('02', '04')),
    fc.oneof(padded(32), fc.constantFrom('29', '30', '31')),
    fc.constantFrom('T', 'T', 'T', ' ', 't'),
    padded(24),
    padded(60),
    fc.oneof(
      padded(60).map((seconds) => `:${seconds}`),
      fc.constant(''),
    ),
    fc.constantFrom('', '', '.5', '.123456789', '.', ',5'),
    fc.constantFrom('Z', 'Z', 'Z', 'z', '', '+00:00', '+0200', 'Z '),
  )
  .map(([year, month, day, t, hour, ...others]) => {
    const [minute, second, fraction, zone] = others;
    return `${year}-${month}-${day}${t}${hour}:${minute}${second}${fraction}${zone}`;
  });
const utc = fc
  .date({ min: new Date(0), max: new Date('2199-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** A date-time that is exact, nearly exact, or something else. */
const dateTime = fc.oneof({ weight: 1, arbitrary: written }, { weight: 1, arbitrary: mostly(utc) });
const mostlyUtc = fc.oneof({ weight: 15, arbitrary: utc }, { weight: 1, arbitrary: dateTime });

const person = { name: text, email: text, phoneNumber: text };

const contact = object(person, ['name']);
const ownGuest = object({ ...person, id: text }, ['name']);
const legacyGuest = object({ ...person, guestId: text }, ['name', 'guestId']);
/** A guest with an id under either name, or both. */
const guest = fc.oneof(ownGuest, legacyGuest, object({ ...person, id: text, guestId: text }));
const sessionFields = { startsAt: mostlyUtc, endsAt: mostlyUtc, activityId: text, activityName: text };
/** A session of the current form. */
const session = object(sessionFields);
const activityFields = { activity: text, activityId: text };
/** An activity of the legacy form, sometimes with fields of a session. */
const activity = fc.oneof(
  { weight: 8, arbitrary: object(activityFields) },
  { weight: 1, arbitrary: object({ ...sessionFields, ...activityFields }, []) },
);

const plain = {
  id: text,
  status: text,
  pax: mostly(fc.nat()),
  notes: text,
  statusGroup: mostly(fc.constantFrom('active', 'cancelled', 'other')),
};
const plainRequired = ['id', 'status', 'pax'];
const list = (item: fc.Arbitrary<unknown>) => mostly(fc.array(item, { maxLength: 3 }));
/** A body in the current form. */
const currentBooking = object(
  { ...plain, contact, guests: list(fc.oneof(ownGuest, ownGuest, guest)), bookedSessions: list(session) },
  [...plainRequired, 'contact', 'guests', 'bookedSessions'],
);
/** A body in the legacy form. */
const legacyBooking = object(
  {
    ...plain,
    contact,
    guests: list(legacyGuest),
    activities: list(activity),
    startsAt: mostlyUtc,
    endsAt: mostlyUtc,
  },
  [...plainRequired, 'contact', 'guests', 'activities', 'startsAt', 'endsAt'],
);

test('a date-time is read unchanged where the published schema accepts it, unless it lacks seconds', () => {
  fc.assert(
    fc.property(dateTime, (value) => {
      const reading = new Reading();
      const isUnchanged =
        contractDateTime(reading, value, 'startsAt') === value && reading.warnings.length === 0;
      const isOfSchema = utcDateTimeSchema.safeParse(value).success;
      const hasSeconds = typeof value === 'string' && value.split(':').length === 3;
      expect(isUnchanged && value !== '').toBe(isOfSchema && hasSeconds);
    }),
    { numRuns: 5000 },
  );
});

// Rules that the published schemas do not express: texts that are not blank, combinations of fields, seconds.
const warningBeyondTheSchemas =
  /^(both_forms|contact_incomplete|guest_without_name|value_ignored|date_time_rewritten) |^session_incomplete activities$|\.guestId$/;
const issueBeyondTheSchemas = /^id is empty$|\.guestId is /;

// In either form, a guest may have no id.
const legacySchema = legacyBookingSchema.extend({ guests: bookingSchema.shape.guests });

describe('a body is read without a warning if the published schema accepts it', () => {
  test.each([
    ['current', currentBooking, currentBookingSchema, readCurrentBooking],
    ['legacy', legacyBooking, legacySchema, readLegacyBooking],
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
