import type { Pool } from '@waiver-service/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeProblem } from '../src/letter.ts';
import { dueOccasion, horizonMs, quietUntil } from '../src/occasions.ts';
import { defaultContent, type Occasions } from '../src/settings.ts';

const pool: Pool = {
  id: 'rafting',
  name: 'Rafting',
  prefillProperties: [],
  installs: 'first',
  defaultBookingSystem: null,
  retention: { waiversDays: null },
  timeZone: 'UTC',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};
const startsAt = new Date('2027-06-12T10:00:00Z');
const evening = { occasion: 'evening-before', day: '2027-06-12' } as const;

/** Why a message is left out at a time, of a session that begins then. */
function problem(
  message: Parameters<typeof timeProblem>[0],
  now: string,
  { start = startsAt, enabled = true }: { readonly start?: Date; readonly enabled?: boolean } = {},
) {
  return timeProblem(message, start, { pool, content: defaultContent, enabled, now: new Date(now) });
}

describe('a message that has waited is left out', () => {
  it('unless it is still its time', () => expect(problem(evening, '2027-06-11T18:00:00Z')).toBeUndefined());
  it('once the visit has begun', () => expect(problem(evening, '2027-06-12T10:00:00Z')).toBe('too-late'));
  it('once a later one is due', () =>
    expect(problem({ ...evening, occasion: 'days-before' }, '2027-06-11T18:00:00Z')).toBe('later-occasion'));
  it('where the booking was moved to another day, earlier or later', () => {
    for (const start of [new Date('2027-06-13T10:00:00Z'), new Date('2027-06-20T10:00:00Z')])
      expect(problem(evening, '2027-06-11T18:00:00Z', { start })).toBe('moved');
  });
  it('not where it was moved within its day', () =>
    expect(
      problem(evening, '2027-06-11T18:00:00Z', { start: new Date('2027-06-12T23:00:00Z') }),
    ).toBeUndefined());
  it('where invitations were switched off, unless staff sent it', () => {
    const off = { enabled: false };
    expect(problem(evening, '2027-06-11T18:00:00Z', off)).toBe('switched-off');
    expect(problem({ ...evening, occasion: 'staff' }, '2027-06-12T10:30:00Z', off)).toBeUndefined();
  });
});

const all: Occasions = {
  daysBefore: { days: 3, hour: 10 },
  eveningBefore: { hour: 18 },
  morningOf: { hour: 7 },
};
const timeZone = 'Europe/Berlin';
/** Saturday, 10:00 in Berlin. */
const start = new Date('2027-06-12T08:00:00Z');
const at = (time: string) => dueOccasion(new Date(time), start, { occasions: all, timeZone })?.occasion;

describe('the occasion that is due', () => {
  it.each([
    ['2027-06-09T07:59:59Z', undefined],
    ['2027-06-09T08:00:00Z', 'days-before'],
    ['2027-06-11T15:59:59Z', 'days-before'],
    ['2027-06-11T16:00:00Z', 'evening-before'],
    ['2027-06-12T04:59:59Z', 'evening-before'],
    ['2027-06-12T05:00:00Z', 'morning-of'],
    ['2027-06-12T07:59:59Z', 'morning-of'],
    ['2027-06-12T08:00:00Z', undefined],
  ])('at %s is %s', (time, occasion) => expect(at(time)).toBe(occasion));

  it('is none where the pool wants none', () => {
    const occasions = { daysBefore: null, eveningBefore: null, morningOf: null };
    const now = new Date(start.getTime() - 1);
    expect(dueOccasion(now, start, { occasions, timeZone })).toBeUndefined();
  });

  it('is of the day in the pool’s time zone, across midnight and the change of clocks', () => {
    // 23:30 on 27 March in New York, where clocks went forward two weeks before.
    const late = new Date('2027-03-28T03:30:00Z');
    const due = (now: string) =>
      dueOccasion(new Date(now), late, { occasions: all, timeZone: 'America/New_York' });
    expect(due('2027-03-26T22:00:00Z')).toEqual({ occasion: 'evening-before', day: '2027-03-27' });
    expect(due('2027-03-26T21:59:00Z')?.occasion).toBe('days-before');
    // At 2:30 on 28 March there is no such time in Berlin; the session is in the afternoon.
    const skipped = { ...all, daysBefore: null, eveningBefore: null, morningOf: { hour: 2 } };
    const afternoon = new Date('2027-03-28T13:00:00Z');
    const morning = (now: string) =>
      dueOccasion(new Date(now), afternoon, { occasions: skipped, timeZone })?.occasion;
    expect([morning('2027-03-28T00:59:59Z'), morning('2027-03-28T01:00:00Z')]).toEqual([
      undefined,
      'morning-of',
    ]);
  });

  it('never goes back while time goes on, and lies within the horizon', () => {
    const order = [undefined, 'days-before', 'evening-before', 'morning-of'];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 * 86_400_000 }),
        fc.integer({ min: 0, max: 86_400_000 }),
        (before, step) => {
          const [early, later] = [
            new Date(start.getTime() - before - step),
            new Date(start.getTime() - before),
          ];
          const place = (now: Date) =>
            order.indexOf(dueOccasion(now, start, { occasions: all, timeZone })?.occasion);
          if (before > 0) expect(place(later)).toBeGreaterThanOrEqual(place(early));
          if (place(early) > 0) expect(start.getTime() - early.getTime()).toBeLessThan(horizonMs(all));
        },
      ),
    );
  });
});

describe('quiet hours', () => {
  const until = (now: string, from: number, end: number) =>
    quietUntil(new Date(now), { from, until: end }, timeZone)?.toISOString();

  it.each([
    ['over midnight, in the evening', '2027-06-12T19:30:00Z', 21, 8, '2027-06-13T06:00:00.000Z'],
    ['over midnight, in the morning', '2027-06-12T05:30:00Z', 21, 8, '2027-06-12T06:00:00.000Z'],
    ['not by day', '2027-06-12T06:00:00Z', 21, 8, undefined],
    ['from their first minute', '2027-06-12T19:00:00Z', 21, 8, '2027-06-13T06:00:00.000Z'],
    ['within a day', '2027-06-12T11:00:00Z', 13, 15, '2027-06-12T13:00:00.000Z'],
    ['not after them', '2027-06-12T13:00:00Z', 13, 15, undefined],
    ['until midnight', '2027-06-12T21:30:00Z', 22, 0, '2027-06-12T22:00:00.000Z'],
  ])('%s', (_, now, from, end, expected) => expect(until(now, from, end)).toBe(expected));

  it('are none without', () => expect(quietUntil(start, null, timeZone)).toBeUndefined());
});
