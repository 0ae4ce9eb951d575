import type { Booking, Waiver } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import {
  bookingSegment,
  fillFields,
  guestOf,
  nativeBooking,
  Reading,
  requiredObjects,
  unlessBooker,
  vendorGuest,
  vendorPerson,
} from '../src/index.ts';

const waiver: Waiver = {
  id: 'w',
  pool: 'pool-1',
  bookingId: 'b',
  lastVisit: '2027-06-12T07:30:00.000Z',
  deleted: false,
  updatedAt: '2027-06-11T18:00:00.123Z',
  name: 'Ada',
};

describe('people', () => {
  const nobody = { name: undefined, email: undefined, phoneNumber: undefined };

  test('have the full name, else the first and the last, else none', () => {
    const names = [
      { fullName: 'Ada Lovelace', firstName: 'A' },
      { fullName: '', firstName: ' Ada ', lastName: 'Lovelace' },
      { lastName: 'Lovelace' },
      { fullName: null, firstName: '' },
    ];
    expect(names.map((fields) => vendorPerson(fields).name)).toEqual([
      'Ada Lovelace',
      'Ada Lovelace',
      'Lovelace',
      undefined,
    ]);
  });

  test('who only repeat the booker are nobody', () => {
    const booker = { name: 'Ada', email: 'ada@example.com', phoneNumber: undefined };
    expect(unlessBooker({ ...nobody, name: 'Ada' }, booker)).toEqual({});
    expect(unlessBooker(nobody, booker)).toEqual({});
    const child = { ...nobody, name: 'Byron', email: 'ada@example.com' };
    expect(unlessBooker(child, booker)).toEqual(child);
  });

  test('without a name are kept, with a warning', () => {
    const reading = new Reading();
    expect(vendorGuest(reading, { id: '1' }, 'people[0]')).toEqual({ id: '1' });
    vendorGuest(reading, { id: '2', name: 'Ada' }, 'people[1]');
    expect(reading.warnings).toMatchObject([{ code: 'guest_without_name', path: 'people[0]' }]);
  });
});

describe('a booking in a vendor’s own form', () => {
  const booking: Booking = {
    id: 'b',
    status: 'OK',
    contact: { name: 'Ada', email: undefined },
    pax: 1,
    guests: [{ id: '1', name: undefined }],
    bookedSessions: [{ startsAt: '2027-06-12T07:30:00Z' }],
    notes: undefined,
  };

  test('has the group of its status and no undefined fields', () => {
    const asked = { bookingId: 'b', idPath: 'ref' };
    const fetched = nativeBooking(new Reading(), booking, asked, { OK: 'active' });
    expect(fetched.warnings).toEqual([]);
    expect(fetched.booking).toStrictEqual({
      id: 'b',
      status: 'OK',
      statusGroup: 'active',
      contact: { name: 'Ada' },
      pax: 1,
      guests: [{ id: '1' }],
      bookedSessions: [{ startsAt: '2027-06-12T07:30:00Z' }],
    });
  });

  test('says that it is another one, and is none where anything was refused', () => {
    const reading = new Reading();
    const asked = { bookingId: 'c', idPath: 'ref' };
    expect(nativeBooking(reading, booking, asked, undefined).warnings).toMatchObject([
      { code: 'id_differs', path: 'ref' },
    ]);
    expect(requiredObjects(reading, [{ a: 1 }, 'x'], 'items')[0]).toEqual({
      value: { a: 1 },
      path: 'items[0]',
    });
    expect(() => nativeBooking(reading, booking, asked, undefined)).toThrow('items[1] is a text');
    expect(() => {
      const other = new Reading();
      requiredObjects(other, undefined, 'items');
      other.throwIfRefused();
    }).toThrow('items is missing');
  });
});

describe('a waiver on its way to a vendor', () => {
  test('is for one of the guests, for nobody, or for somebody who is gone', () => {
    const guests = [{ id: undefined }, { id: '1' }];
    const reading = new Reading();
    expect(guestOf(reading, guests, { ...waiver, bookingGuestId: '1' })).toBe(guests[1]);
    expect(guestOf(reading, guests, waiver)).toBeUndefined();
    expect(reading.warnings).toEqual([]);
    expect(guestOf(reading, guests, { ...waiver, bookingGuestId: '2' })).toBeUndefined();
    expect(reading.warnings).toMatchObject([{ code: 'waiver_partly_written' }]);
  });

  test('fills the fields that shared answers fit into, and names the required ones that stay empty', () => {
    const fields = [
      { id: 1, label: 'Full Name', isRequired: true },
      { id: 2, label: 'Height', isRequired: true },
      { id: 3, label: 'Weight', isRequired: false },
    ];
    expect(fillFields(waiver, fields)).toEqual({ values: [{ id: 1, value: 'Ada' }], missing: ['Height'] });
  });

  test('needs a booking id that a URL can carry', () => {
    expect(bookingSegment('a/b ü', 'read')).toBe('a%2Fb%20%C3%BC');
    expect(() => bookingSegment('..', 'read')).toThrow(
      expect.objectContaining({ code: 'booking_not_found' }),
    );
    expect(() => bookingSegment('', 'guest-update')).toThrow(
      expect.objectContaining({ code: 'waiver_rejected', retry: 'never' }),
    );
  });
});
