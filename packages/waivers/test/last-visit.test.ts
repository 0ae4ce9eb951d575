import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastVisitOf } from '../src/last-visit.ts';

const createdAt = new Date(0);

test('lastVisit is the earliest of the guest’s own sessions, else of all, else the creation', () => {
  const sessions = [
    { startsAt: '2026-06-02T10:00:00Z', activityId: 'raft' },
    { startsAt: '2026-06-01T10:00:00Z', activityId: 'kayak' },
    { startsAt: '2026-06-03T10:00:00Z', activityId: 'raft' },
  ];
  const visit = (activities: string[]) => lastVisitOf(sessions, activities, createdAt);
  expect(visit(['raft'])).toEqual({
    lastVisit: new Date('2026-06-02T10:00:00Z'),
    lastVisitSource: 'session',
  });
  expect(visit(['other']).lastVisit).toEqual(new Date('2026-06-01T10:00:00Z'));
  expect(lastVisitOf([], ['raft'], createdAt)).toEqual({ lastVisit: createdAt, lastVisitSource: 'created' });
});

test('a start out of range is skipped', () => {
  const starts = ['0000-12-31T22:00:00Z', '+010000-01-01T01:30:00Z', '1899-12-31T23:59:59.999Z', 'soon'];
  const sessions = starts.map((startsAt) => ({ startsAt }));
  expect(lastVisitOf(sessions, [], createdAt).lastVisitSource).toBe('created');
  const edges = ['2199-12-31T23:59:59.999Z', '1900-01-01T00:00:00Z', '2200-01-01T00:00:00Z'];
  for (const [place, source] of ['session', 'session', 'created'].entries()) {
    const session = { startsAt: edges[place] ?? '' };
    expect(lastVisitOf([session, ...sessions], [], createdAt).lastVisitSource).toBe(source);
  }
});

test('the earliest start of the guest’s own sessions never lies before the earliest of all', () => {
  const session = fc.record({
    startsAt: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString()),
    activityId: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(session), fc.subarray(['a', 'b', 'c']), (found, activities) => {
      const { lastVisit, lastVisitSource } = lastVisitOf(found, activities, createdAt);
      expect(lastVisitSource).toBe(found.length === 0 ? 'created' : 'session');
      const times = found.map(({ startsAt }) => Date.parse(startsAt));
      if (times.length > 0) expect(times).toContain(lastVisit.getTime());
      if (activities.length === 0 && times.length > 0) expect(lastVisit.getTime()).toBe(Math.min(...times));
    }),
  );
});
