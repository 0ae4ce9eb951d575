import type { BookedSession } from '@waiver-service/core';
import {
  type JsonObject,
  objectOf,
  type Reading,
  textOf,
  vendorDateTime,
  vendorSession,
} from '@waiver-service/plugin-kit';

const isStartOfDay = (time: unknown): boolean => typeof time === 'string' && time.includes('T00:00');

/**
 * Why the session is not a time that was booked, if so: some systems write a whole day as midnight to midnight, and
 * opening hours that are a part of the day are not the whole day.
 */
function withoutBookedTime(availability: JsonObject, product: JsonObject): string | undefined {
  const { localDateTimeStart: start, localDateTimeEnd: end, allDay } = availability;
  if (isStartOfDay(start) && isStartOfDay(end)) return 'the session is the whole day';
  if (product.availabilityType === 'OPENING_HOURS') return 'the session is the opening hours';
  return allDay === true ? 'the session is the whole day' : undefined;
}

/** The booked availability; `undefined` if the booking is open-dated. */
export function readSession(
  reading: Reading,
  booking: JsonObject,
  product: JsonObject,
): BookedSession | undefined {
  const availability = objectOf(booking.availability);
  const timeZone = textOf(product.timeZone);
  const readTime = (name: 'localDateTimeStart' | 'localDateTimeEnd') =>
    vendorDateTime(reading, availability[name], `availability.${name}`, timeZone);
  const startsAt = readTime('localDateTimeStart');
  const endsAt = readTime('localDateTimeEnd');
  if (startsAt === undefined) return undefined;
  const session = withoutBookedTime(availability, product);
  if (session !== undefined) {
    reading.warn('session_incomplete', 'availability', `no time was booked: ${session}`);
  }
  const activityId = booking.productId;
  const activityName = textOf(product.title) ?? product.internalName;
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName }, 'availability');
}
