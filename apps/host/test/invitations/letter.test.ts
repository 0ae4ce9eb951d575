import { describe, expect, it } from 'vitest';
import { timeProblem } from '../../src/invitations/letter.ts';
import { defaultContent } from '../../src/invitations/settings.ts';

const pool = {
  id: 'rafting',
  name: 'Rafting',
  prefillProperties: [],
  installs: 'first',
  defaultBookingSystem: null,
  retentionWaiversDays: null,
  timeZone: 'UTC',
  createdAt: new Date(0),
  updatedAt: new Date(0),
} as const;
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
