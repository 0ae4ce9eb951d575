import type { BookedSession } from '@waiver-service/core';
import { type ListedObject, objectOf, type Reading, textOf, vendorSession } from '@waiver-service/plugin-kit';

function countOf(value: unknown): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

/** Seconds since 1970, as a number or a text, as UTC; `undefined` where there is none. */
function utcOf(value: unknown): string | undefined {
  const seconds = countOf(value);
  // Twelve digits would be past the year 9999.
  if (!seconds || seconds > 253_402_300_799) return undefined;
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The session of an item; `undefined`, with a warning, for one that has no time, such as goods or a voucher. */
export function readSession(reading: Reading, { path, value }: ListedObject): BookedSession | undefined {
  const { start_date, end_date, sku: activityId, name: activityName } = value;
  const startsAt = utcOf(start_date);
  const endsAt = utcOf(end_date);
  if (startsAt === undefined) {
    reading.warn('item_skipped', path, `${path} has no start_date: it is no session`);
    return undefined;
  }
  // One moment for both is a whole day, or a slot without a length: either way, when it ends is not said.
  const times = { startsAt, endsAt: endsAt === startsAt ? undefined : endsAt };
  return vendorSession(reading, { ...times, activityId, activityName }, path);
}

/** How many an item is for: its `qty`, else the sum of its parameters' quantities, else one, with a warning. */
export function readQuantity(reading: Reading, { path, value }: ListedObject): number {
  const quantity = countOf(value.qty);
  if (quantity !== undefined) return quantity;
  const counts = Object.values(objectOf(value.param)).map(
    (one) => countOf(one) ?? countOf(objectOf(one).qty),
  );
  const found = counts.filter((count) => count !== undefined);
  if (found.length > 0) return found.reduce((sum, count) => sum + count, 0);
  reading.warn('count_disagrees', path, `${path} has no quantity: it was counted as one`);
  return 1;
}
