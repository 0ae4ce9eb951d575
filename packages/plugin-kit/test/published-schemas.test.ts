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
import { Reading } from '../src/reading/reading.ts';
import * as nearly from './nearly-valid.ts';

test('a date-time is read unchanged where the published schema accepts it, unless it lacks seconds', () => {
  fc.assert(
    fc.property(nearly.dateTime, (value) => {
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
