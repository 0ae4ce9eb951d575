import type { WaiverRecord } from '../src/index.ts';
import { contentAfter } from '../src/waiver.ts';

/** A waiver of a guest of the booking `b1`, whose last visit is its time of creation. */
export function waiverRecord(given: Partial<WaiverRecord> = {}): WaiverRecord {
  const createdAt = given.createdAt ?? new Date('2026-04-01T08:00:00Z');
  const content = contentAfter(undefined, {
    bookingSystem: 'standard',
    bookingId: 'b1',
    bookingGuestId: 'g1',
    answers: { name: 'Ann' },
  });
  return {
    ...content,
    id: 'w1',
    pool: 'p1',
    lastVisit: createdAt,
    lastVisitSource: 'created',
    deleted: false,
    begun: null,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    ...given,
  };
}
