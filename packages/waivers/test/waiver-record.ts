import type { WaiverRecord } from '../src/index.ts';

/** A waiver of a guest of the booking `b1`, whose last visit is its time of creation. */
export function waiverRecord(given: Partial<WaiverRecord> = {}): WaiverRecord {
  const createdAt = given.createdAt ?? new Date('2026-04-01T08:00:00Z');
  return {
    id: 'w1',
    pool: 'p1',
    bookingSystem: 'standard',
    bookingId: 'b1',
    bookingGuestId: 'g1',
    activities: [],
    lastVisit: createdAt,
    lastVisitSource: 'created',
    currentPage: null,
    answers: { name: 'Ann' },
    deleted: false,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    ...given,
  };
}
