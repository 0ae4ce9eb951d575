import type { Guest } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchWaivers, type SigningWaiver } from '../../src/booking-reading/booking-guests.ts';

const waiver = (id: string, change: Partial<SigningWaiver> = {}): SigningWaiver => ({
  id,
  bookingGuestId: null,
  currentPage: null,
  validUntil: null,
  name: id,
  ...change,
});

const matched = (
  guests: readonly Guest[],
  waivers: readonly SigningWaiver[],
  startsAt: readonly string[] = [],
) =>
  matchWaivers(
    { guests: [...guests], bookedSessions: startsAt.map((each) => ({ startsAt: each })) },
    waivers,
    'Europe/Berlin',
  );

describe('who has signed', () => {
  it('counts a guest once, however many records the guest has', () => {
    const result = matched(
      [{ id: 'g1', name: 'Bo' }],
      [waiver('w1', { bookingGuestId: 'g1' }), waiver('w2', { bookingGuestId: 'g1' })],
    );
    expect(result).toEqual({ signed: 1, guests: [{ waiverId: 'w1', signed: true }], missing: [] });
  });

  it('counts each record that has no guest id', () => {
    expect(matched([], [waiver('w1'), waiver('w2')])).toEqual({ signed: 2, guests: [], missing: [] });
  });

  it('does not count unfinished waivers', () => {
    const result = matched(
      [{ id: 'g1', name: 'Bo' }, { id: 'g2' }],
      [waiver('w2', { bookingGuestId: 'g2', currentPage: 'page-2' })],
    );
    expect(result).toEqual({
      signed: 0,
      guests: [{ signed: false }, { waiverId: 'w2', signed: false }],
      missing: [{ bookingGuestId: 'g1', name: 'Bo' }, { bookingGuestId: 'g2' }],
    });
  });

  it('names the signed record of a guest before one that is under way', () => {
    const { guests } = matched(
      [{ id: 'g1' }],
      [waiver('w1', { bookingGuestId: 'g1', currentPage: 'p' }), waiver('w2', { bookingGuestId: 'g1' })],
    );
    expect(guests).toEqual([{ waiverId: 'w2', signed: true }]);
  });

  it('knows guests without an id by name, one record for one guest', () => {
    const result = matched(
      [{ name: 'Bo Ek' }, { name: 'Bo Ek' }, { name: 'Cy' }],
      [waiver('w1', { name: ' bo ek' }), waiver('w2', { name: 'Dee' })],
    );
    expect(result).toEqual({
      signed: 2,
      guests: [{ waiverId: 'w1', signed: true }, { signed: false }, { signed: false }],
      missing: [{ name: 'Bo Ek' }, { name: 'Cy' }],
    });
  });

  const guest = [{ id: 'g1' }];
  const until = (id: string, validUntil: string | null) => waiver(id, { bookingGuestId: 'g1', validUntil });

  it('counts a waiver that runs out before the last session as missing, by the days of the pool', () => {
    // In Berlin, 1 and 3 July.
    const sessions = ['2026-07-02T22:30:00Z', '2026-06-30T22:00:00Z'];
    expect(matched(guest, [until('w1', '2026-07-02')], sessions)).toEqual({
      signed: 0,
      guests: [{ signed: false }],
      missing: [{ bookingGuestId: 'g1' }],
    });
    expect(matched(guest, [until('w1', '2026-07-03')], sessions).signed).toBe(1);
    expect(matched(guest, [until('w1', null)], sessions).signed).toBe(1);
  });

  it('names the waiver that was signed again, not the one that has run out', () => {
    const waivers = [until('w1', '2026-07-02'), until('w2', '2027-07-02')];
    const { signed, guests } = matched(guest, waivers, ['2026-08-01T08:00:00Z']);
    expect([signed, guests]).toEqual([1, [{ waiverId: 'w2', signed: true }]]);
  });

  it('counts all while the sessions are not known', () => {
    expect(matched(guest, [until('w1', '2020-01-01')]).signed).toBe(1);
    expect(matchWaivers(undefined, [until('w1', '2020-01-01')], 'UTC').signed).toBe(1);
  });

  it('for any guests and waivers: the guests are those missing and those signed', () => {
    const id = fc.constantFrom('g1', 'g2', 'g3');
    const guests = fc.uniqueArray(id).map((ids) => ids.map((guestId) => ({ id: guestId, name: 'n' })));
    const waivers = fc
      .array(
        fc.record({
          bookingGuestId: fc.option(id),
          currentPage: fc.option(fc.constant('p')),
          validUntil: fc.option(fc.constantFrom('2026-06-30', '2026-07-01')),
        }),
      )
      .map((changes) => changes.map((change, index) => waiver(`w${index}`, change)));
    fc.assert(
      fc.property(guests, waivers, (someGuests, someWaivers) => {
        const result = matched(someGuests, someWaivers, ['2026-07-01T08:00:00Z']);
        const signedGuests = result.guests.filter((guest) => guest.signed).length;
        expect(signedGuests + result.missing.length).toBe(someGuests.length);
        expect(result.signed).toBeGreaterThanOrEqual(signedGuests);
        expect(result.signed).toBeLessThanOrEqual(someWaivers.length);
      }),
    );
  });
});
