import type { Booking, Guest } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { isCancelled } from '../src/reading/booking-days.ts';
import { matchWaivers, prefillGuests, type SigningWaiver } from '../src/reading/booking-guests.ts';

const booking = (change: Record<string, unknown>): Booking => ({
  id: 'B-1',
  status: 'Active',
  contact: { name: 'Ann Booker', email: 'ann@example.com', phoneNumber: '+44 1', vip: true },
  pax: 2,
  guests: [],
  bookedSessions: [{ startsAt: '2026-05-01T09:00:00Z' }],
  ...change,
});

describe('what a guest’s waiver starts with', () => {
  it('is name, email and phoneNumber where available, and nothing else', () => {
    const { guests, booker } = prefillGuests(
      booking({
        notes: 'vegan',
        guests: [{ id: 'g1', name: 'Bo', phoneNumber: '+45 2', shoeSize: 42 }, { id: 'g2' }],
      }),
      [],
    );
    expect(guests).toEqual([
      { bookingGuestId: 'g1', prefill: { name: 'Bo', phoneNumber: '+45 2' } },
      { bookingGuestId: 'g2', prefill: {} },
    ]);
    expect(booker).toBeUndefined();
  });

  it('takes properties that the pool lists from the guest, otherwise from the booking', () => {
    const { guests } = prefillGuests(
      booking({
        notes: 'of the booking',
        shoeSize: 40,
        guests: [
          { name: 'Bo', notes: 'of the guest' },
          { name: 'Cy', notes: null, shoeSize: 0 },
        ],
      }),
      ['notes', 'shoeSize', 'absent'],
    );
    expect(guests).toEqual([
      { prefill: { name: 'Bo', notes: 'of the guest', shoeSize: 40 } },
      { prefill: { name: 'Cy', notes: 'of the booking', shoeSize: 0 } },
    ]);
  });

  it('takes email and phoneNumber from the booking if the guest has none', () => {
    const { guests } = prefillGuests(
      booking({
        email: 'group@example.com',
        phoneNumber: 5,
        guests: [{ name: 'Bo' }, { email: 'cy@example.com' }],
      }),
      [],
    );
    expect(guests.map((guest) => guest.prefill)).toEqual([
      { name: 'Bo', email: 'group@example.com' },
      { email: 'cy@example.com' },
    ]);
  });

  const bookingOnly = [
    'id',
    'status',
    'contact',
    'pax',
    'guests',
    'bookedSessions',
    'startsAt',
    'endsAt',
    'activities',
    'guestId',
  ];

  it('never has a field of the booking itself, even if the pool lists it', () => {
    const { guests } = prefillGuests(
      booking({
        startsAt: '2026-05-01T09:00:00Z',
        endsAt: 'x',
        activities: [],
        guestId: 'b',
        guests: [{ name: 'Bo' }],
      }),
      bookingOnly,
    );
    expect(guests).toEqual([{ prefill: { name: 'Bo' } }]);
  });

  it('offers the contact as booker, not as a guest, if there are no individual guests', () => {
    expect(prefillGuests(booking({}), ['vip', 'notes'])).toEqual({
      guests: [],
      warnings: [],
      booker: { name: 'Ann Booker', email: 'ann@example.com', phoneNumber: '+44 1' },
    });
  });

  it('takes names that JavaScript gives a meaning as names like any other, but for one that no answer can have', () => {
    const own: Record<string, unknown> = JSON.parse(
      '{"name":"Bo","toString":"x","__proto__":{"polluted":true}}',
    );
    const listed = ['__proto__', 'constructor', 'toString'];
    const { guests, warnings } = prefillGuests(booking({ guests: [own] }), listed);
    expect(Object.keys(guests[0]?.prefill ?? {})).toEqual(['name', 'toString']);
    expect(warnings).toMatchObject([{ code: 'value_ignored', path: 'guests[0].__proto__' }]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  const propertyName = fc.constantFrom(
    'name',
    'email',
    'phoneNumber',
    'notes',
    'shoeSize',
    'x',
    ...bookingOnly,
  );
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const properties = fc.dictionary(propertyName, value);

  it('for any booking: holds only listed names, each the guest’s own value or else the booking’s', () => {
    fc.assert(
      fc.property(
        properties,
        fc.array(properties, { minLength: 1, maxLength: 4 }),
        fc.array(propertyName),
        (ofBooking, ofGuests, listed) => {
          const guestsGiven = ofGuests.map(({ id: _, ...guest }) => guest);
          const { guests } = prefillGuests(
            booking({ ...ofBooking, ...booking({ guests: guestsGiven }) }),
            listed,
          );
          expect(guests).toHaveLength(guestsGiven.length);
          guests.forEach(({ prefill }, index) => {
            const own = guestsGiven[index] ?? {};
            for (const [name, filled] of Object.entries(prefill)) {
              expect(['name', 'email', 'phoneNumber', ...listed]).toContain(name);
              const usable = own[name] !== undefined && own[name] !== null;
              const standard = ['name', 'email', 'phoneNumber'].includes(name);
              if (usable && (!standard || typeof own[name] === 'string')) expect(filled).toBe(own[name]);
              else {
                expect(bookingOnly).not.toContain(name);
                expect(filled).toBe(ofBooking[name]);
              }
              if (standard) expect(filled).toBeTypeOf('string');
            }
          });
        },
      ),
    );
  });
});

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

describe('whether a booking is cancelled', () => {
  const booking = { id: 'b1', contact: { name: 'Ann' }, pax: 1, guests: [], bookedSessions: [] };

  test.each([
    ['Cancelled', undefined, true],
    ['CANCELED', undefined, true],
    ['cancelled_by_guest', undefined, true],
    ['Active', undefined, false],
    ['Cancellation requested', undefined, false],
    ['Storniert', 'cancelled', true],
    // A plugin knows better than the word.
    ['Cancelled and rebooked', 'active', false],
  ] as const)('a booking with the status %s and the group %s', (status, statusGroup, expected) => {
    expect(isCancelled({ ...booking, status, ...(statusGroup && { statusGroup }) })).toBe(expected);
  });
});
