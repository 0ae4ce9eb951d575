import { createHash } from 'node:crypto';
import type { JsonValue, NewWaiver } from './waiver-record.ts';

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** What a record is created with, as 32 bytes: equal for a repeated POST, whatever the order of its properties. */
export function contentHashOf(waiver: NewWaiver): Buffer {
  const { bookingSystem, bookingId, bookingGuestId, activities, lastVisit, currentPage, answers } = waiver;
  const content = [
    bookingSystem,
    bookingId,
    bookingGuestId,
    [...activities],
    lastVisit?.toISOString() ?? null,
    currentPage,
    sorted(answers),
  ];
  return createHash('sha256').update(JSON.stringify(content), 'utf8').digest();
}
