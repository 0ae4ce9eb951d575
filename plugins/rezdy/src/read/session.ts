import type { BookedSession } from '@waiver-service/core';
import { type ListedObject, type Reading, vendorDateTime, vendorSession } from '@waiver-service/plugin-kit';

/** Reads a time of an item: in UTC or, if only the local time is given, in the account's time zone. */
function readTime(
  reading: Reading,
  { value, path }: ListedObject,
  name: 'startTime' | 'endTime',
  timeZone: string | undefined,
): string | undefined {
  return (
    vendorDateTime(reading, value[name], `${path}.${name}`, timeZone) ??
    vendorDateTime(reading, value[`${name}Local`], `${path}.${name}Local`, timeZone)
  );
}

/** An item's session; `undefined` if it has no time. */
export function readSession(
  reading: Reading,
  item: ListedObject,
  timeZone: string | undefined,
): BookedSession | undefined {
  const startsAt = readTime(reading, item, 'startTime', timeZone);
  const endsAt = readTime(reading, item, 'endTime', timeZone);
  if (startsAt === undefined) return undefined;
  const { productCode: activityId, productName: activityName } = item.value;
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName }, item.path);
}
