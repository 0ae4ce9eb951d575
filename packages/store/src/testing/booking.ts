import type { FetchedBooking } from '@waiver-service/core';

/** A booking as a plugin returns it. */
export function fetchedBooking(change: Partial<FetchedBooking['booking']> = {}): FetchedBooking {
  return {
    form: 'current',
    booking: {
      id: 'b1',
      status: 'Active',
      contact: { name: 'Ann Booker' },
      pax: 2,
      guests: [{ id: 'g1', name: 'Ann' }],
      bookedSessions: [{ startsAt: '2026-05-01T09:30:00Z', activityId: 'raft', activityName: 'Rafting' }],
      ...change,
    },
    warnings: [{ code: 'null_as_absent', path: 'notes', message: 'notes is null' }],
  };
}
