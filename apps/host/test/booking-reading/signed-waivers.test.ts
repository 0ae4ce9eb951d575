import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchWaivers, type SigningWaiver } from '../../src/booking-reading/signed-waivers.ts';

const waiver = (id: string, change: Partial<SigningWaiver> = {}): SigningWaiver => ({
  id,
  bookingGuestId: null,
  currentPage: null,
  name: id,
  ...change,
});

describe('who has signed', () => {
  it('counts a guest once, however many records the guest has', () => {
    const result = matchWaivers(
      [{ id: 'g1', name: 'Bo' }],
      [waiver('w1', { bookingGuestId: 'g1' }), waiver('w2', { bookingGuestId: 'g1' })],
    );
    expect(result).toEqual({ signed: 1, guests: [{ waiverId: 'w1', signed: true }], missing: [] });
  });

  it('counts each record that has no guest id', () => {
    expect(matchWaivers([], [waiver('w1'), waiver('w2')])).toEqual({ signed: 2, guests: [], missing: [] });
  });

  it('does not count unfinished waivers', () => {
    const result = matchWaivers(
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
    const { guests } = matchWaivers(
      [{ id: 'g1' }],
      [waiver('w1', { bookingGuestId: 'g1', currentPage: 'p' }), waiver('w2', { bookingGuestId: 'g1' })],
    );
    expect(guests).toEqual([{ waiverId: 'w2', signed: true }]);
  });

  it('knows guests without an id by name, one record for one guest', () => {
    const result = matchWaivers(
      [{ name: 'Bo Ek' }, { name: 'Bo Ek' }, { name: 'Cy' }],
      [waiver('w1', { name: ' bo ek' }), waiver('w2', { name: 'Dee' })],
    );
    expect(result).toEqual({
      signed: 2,
      guests: [{ waiverId: 'w1', signed: true }, { signed: false }, { signed: false }],
      missing: [{ name: 'Bo Ek' }, { name: 'Cy' }],
    });
  });

  it('for any guests and waivers: the guests are those missing and those signed', () => {
    const id = fc.constantFrom('g1', 'g2', 'g3');
    const guests = fc.uniqueArray(id).map((ids) => ids.map((guestId) => ({ id: guestId, name: 'n' })));
    const waivers = fc
      .array(
        fc.record({
          bookingGuestId: fc.option(id),
          currentPage: fc.option(fc.constant('p')),
        }),
      )
      .map((changes) => changes.map((change, index) => waiver(`w${index}`, change)));
    fc.assert(
      fc.property(guests, waivers, (someGuests, someWaivers) => {
        const result = matchWaivers(someGuests, someWaivers);
        const signedGuests = result.guests.filter((guest) => guest.signed).length;
        expect(signedGuests + result.missing.length).toBe(someGuests.length);
        expect(result.signed).toBeGreaterThanOrEqual(signedGuests);
        expect(result.signed).toBeLessThanOrEqual(someWaivers.length);
      }),
    );
  });
});
