import { expect, test } from 'vitest';
import { planCreation, planErasure } from '../src/index.ts';

const now = new Date('2027-01-01T00:00:00.000Z');
const recipients = {
  installations: [
    {
      destination: 'd1',
      permissionVersion: 0,
      bookingSystem: 'standard',
      guestId: 'booking-guest-id',
      properties: ['name', 'validUntil', 'reuseOf'],
    },
  ],
  webhooks: [{ destination: 'd2', permissionVersion: 0, properties: ['name', 'validUntil', 'reuseOf'] }],
} as const;

const { next: former } = planCreation(
  {
    id: 'w1',
    pool: 'p1',
    bookingSystem: 'standard',
    bookingId: 'b1',
    bookingGuestId: 'g1',
    activities: ['raft'],
    currentPage: 'last',
    validUntil: '2027-05-01',
    reuseOf: 'w0',
    answers: { name: 'Ann', feedback: 'nice' },
  },
  { now, recipients, sessions: [] },
);

test('the last version holds nothing of the guest, and the messages no answers', () => {
  const { next, messages, formerVersion } = planErasure(former, { now, recipients });
  const later = new Date('2027-01-01T00:00:00.001Z');
  expect(formerVersion).toBe(1);
  expect(next).toEqual({
    id: 'w1',
    pool: 'p1',
    version: 2,
    bookingSystem: null,
    bookingId: null,
    bookingGuestId: null,
    activities: [],
    currentPage: null,
    answers: {},
    validUntil: null,
    reuseOf: null,
    lastVisit: later,
    lastVisitSource: 'created',
    deleted: true,
    begun: null,
    createdAt: later,
    updatedAt: later,
  });
  expect(messages.map(({ destination, version, takeback }) => [destination, version, takeback])).toEqual([
    ['d1', 2, false],
    ['d2', 2, false],
  ]);
  expect(messages.map(({ body }) => JSON.parse(body))).toMatchObject([
    { waiver: { id: 'w1', bookingId: 'b1', bookingGuestId: 'g1', deleted: true } },
    { guest: { id: 'w1', deleted: true, feedback: '' } },
  ]);
  for (const { body } of messages) expect(body).not.toMatch(/Ann|nice|2027-05|w0/);
});

test('only the given recipients are notified', () => {
  expect(planErasure(former, { now, recipients: { installations: [], webhooks: [] } }).messages).toEqual([]);
});
