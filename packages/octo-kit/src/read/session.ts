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

/** Whether a time of day was booked, not a whole day, which some systems write as midnight to midnight. */
function hasTimeOfDay(availability: JsonObject, product: JsonObject): boolean {
  if (availability.allDay === true || product.availabilityType === 'OPENING_HOURS') return false;
  const { localDateTimeStart: start, localDateTimeEnd: end } = availability;
  return !(isStartOfDay(start) && isStartOfDay(end));
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
  if (!hasTimeOfDay(availability, product)) {
    reading.warn('session_incomplete', 'availability', 'no time was booked: the session is the whole day');
  }
  const activityId = booking.productId;
  const activityName = textOf(product.title) ?? product.internalName;
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName }, 'availability');
}
