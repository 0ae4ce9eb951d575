import { zBooking, zErrorInvalidBookingUuid } from '@octocloud/types';
import { expect, test } from 'vitest';
import { bookingId, fixture, fixtureNames } from './fixtures.ts';

// Found in the vendors' own examples, although the published schema does not allow it.
const knownBreaches: Readonly<Record<string, readonly string[]>> = {
  'empty-texts': ['contact.emailAddress', 'unitItems.0.contact.emailAddress'],
};

test.each(fixtureNames)('%s conforms to OCTO’s schema', (name) => {
  const parsed = zBooking.safeParse(fixture(name));
  const breaches = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  expect(breaches).toEqual(knownBreaches[name] ?? []);
});

test('the schema does reject invalid bookings', () => {
  expect(zBooking.safeParse(fixture('all-day', { status: 'SOLD' })).success).toBe(false);
  expect(zBooking.safeParse(fixture('all-day', { unitItems: [{}] })).success).toBe(false);
});

test('the body of "not found" is OCTO’s', () => {
  zErrorInvalidBookingUuid.parse({ error: 'INVALID_BOOKING_UUID', errorMessage: 'no', uuid: bookingId });
});
