import type { Booking } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefillGuests } from '../../src/booking-reading/booking-guests.ts';

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
