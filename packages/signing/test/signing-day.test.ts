import { dayIn, lastDayOf } from '@waiver-service/integration';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOfLinks, signingDay, signingEnd } from '../src/signings/signing-day.ts';

const now = new Date('2026-06-20T10:00:00Z');
const berlin = 'Europe/Berlin';

function end(validity: Parameters<typeof signingEnd>[0]['validity'], startsAt?: readonly string[]) {
  const sessions = startsAt?.map((each) => ({ startsAt: each }));
  const linked = sessions && { booking: { bookedSessions: sessions } };
  return signingEnd({ validity }, linked, signingDay(sessions ?? [], berlin, now), berlin);
}

it('is valid through the last session of the booking, in the time zone of the pool', () => {
  expect(end({ visit: true }, ['2026-07-03T22:30:00Z', '2026-07-01T08:00:00Z'])).toBe('2026-07-04');
});

it('counts the days of a form from the last session, so that it covers the booking as it is', () => {
  const sessions = ['2026-07-01T08:00:00Z', '2026-07-10T08:00:00Z'];
  expect(end({ days: 1 }, sessions)).toBe('2026-07-11');
  expect(end({ until: '07-05' }, sessions)).toBe('2027-07-05');
});

it('is valid on the day of a signing at the desk, in the time zone of the pool', () => {
  expect(end({ visit: true })).toBe('2026-06-20');
  const late = new Date('2026-06-20T22:30:00Z');
  expect(signingEnd({ validity: { visit: true } }, undefined, signingDay([], berlin, late), berlin)).toBe(
    '2026-06-21',
  );
});

it('has no end for a visit whose day is not known, because its booking system cannot be asked', () => {
  const unread = { booking: undefined };
  const day = signingDay([], berlin, now);
  expect(signingEnd({ validity: { visit: true } }, unread, day, berlin)).toBeNull();
  expect(signingEnd({ validity: { days: 2 } }, unread, day, berlin)).toBe('2026-06-22');
});

it('never ends before the last session, wherever that is', () => {
  const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2080-01-01'), noInvalidDate: true });
  const zone = fc.constantFrom('Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', berlin);
  const validity = fc.oneof(
    fc.constant({ visit: true } as const),
    fc.record({ days: fc.integer({ min: 1, max: 3650 }) }),
    fc.record({ until: fc.constantFrom('02-28', '02-29', '03-01', '12-31', '01-01') }),
  );
  fc.assert(
    fc.property(
      fc.array(time, { minLength: 1, maxLength: 4 }),
      zone,
      validity,
      time,
      (times, timeZone, one, at) => {
        const sessions = times.map((start) => ({ startsAt: start.toISOString() }));
        const day = signingDay(sessions, timeZone, at);
        const until =
          signingEnd({ validity: one }, { booking: { bookedSessions: sessions } }, day, timeZone) ?? '';
        for (const start of times) expect(until >= dayIn(timeZone, start)).toBe(true);
        if ('visit' in one) expect(until).toBe(lastDayOf(sessions, timeZone));
      },
    ),
  );
});

const threeDays = [{ startsAt: '2026-07-01T08:00:00Z', endsAt: '2026-07-03T15:00:00Z' }];

it('counts a session of several days from the day it starts to the day it ends', () => {
  const day = signingDay(threeDays, berlin, now);
  expect(
    signingEnd({ validity: { visit: true } }, { booking: { bookedSessions: threeDays } }, day, berlin),
  ).toBe('2026-07-03');
  expect(endOfLinks(threeDays)?.toISOString()).toBe('2026-07-05T14:59:59.999Z');
  const dates = ['2026-06-01', '2026-07-01', '2026-07-02', '2026-07-03', '2026-07-04'].map(
    (at) => signingDay(threeDays, berlin, new Date(`${at}T12:00:00Z`)).date,
  );
  expect(dates).toEqual(['2026-07-01', '2026-07-01', '2026-07-02', '2026-07-03', '2026-07-01']);
});

it.each([
  ['over midnight', '2026-07-01T20:00:00Z', '2026-07-02T02:00:00Z', '2026-07-02'],
  ['until midnight', '2026-07-01T20:00:00Z', '2026-07-01T22:00:00Z', '2026-07-01'],
  ['until after midnight', '2026-07-01T20:00:00Z', '2026-07-01T22:00:01Z', '2026-07-02'],
  ['from midnight to midnight', '2026-06-30T22:00:00Z', '2026-07-02T22:00:00Z', '2026-07-02'],
  ['with an end before its start', '2026-07-01T20:00:00Z', '2026-06-01T20:00:00Z', '2026-07-01'],
  ['without an end', '2026-07-01T20:00:00Z', undefined, '2026-07-01'],
])('a session %s counts in the time zone of the pool', (_, startsAt, endsAt, expected) => {
  expect(lastDayOf([{ startsAt, endsAt }], berlin)).toBe(expected);
});
