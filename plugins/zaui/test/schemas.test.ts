import { zAvailability, zBooking, zProduct } from '@octocloud/types';
import { expect, test } from 'vitest';
import { bookingNames, fixture } from './fixtures.ts';

// The published schema also requires fields of an availability that only a sale needs (cutoff, places left). Reading a
// booking uses none of them, and the fixtures omit them.
const availability = zAvailability.pick({
  id: true,
  localDateTimeStart: true,
  localDateTimeEnd: true,
  allDay: true,
  openingHours: true,
});
const zFixture = zBooking.extend({ availability });

test.each(bookingNames)('%s conforms to OCTO’s schema', (name) => {
  zFixture.parse(fixture(name));
});

test('the product conforms to OCTO’s schema', () => {
  zProduct.parse(fixture('product'));
});

test('the schemas do reject invalid bookings and products', () => {
  expect(zFixture.safeParse(fixture('confirmed', { status: 'SOLD' })).success).toBe(false);
  expect(zFixture.safeParse(fixture('confirmed', { availability: { allDay: 'no' } })).success).toBe(false);
  expect(zProduct.safeParse(fixture('product', { options: [{}] })).success).toBe(false);
});
