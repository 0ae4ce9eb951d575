import type { Booking, StatusGroup, Waiver } from '@waiver-service/core';
import { describe, expect, test } from 'vitest';
import {
  bookingSegment,
  fillFields,
  findGuest,
  finishNativeBooking,
  isCopyOf,
  participantTypeOf,
  Reading,
  requiredObjects,
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

  test('have the full name, else first and last name, else none', () => {
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

  test('are adults, children, or what the vendor calls them', () => {
    const words = ['Adults', 'adult', 'CHILD', 'Children', 'Child seat', undefined];
    const types = ['adult', 'adult', 'child', 'child', 'Child seat', undefined];
    expect(words.map(participantTypeOf)).toEqual(types);
  });

  test('are copies if they only repeat the booker', () => {
    const booker = { name: 'Ada', email: 'ada@example.com', phoneNumber: undefined };
    expect(isCopyOf({ ...nobody, name: 'Ada' }, booker)).toBe(true);
    expect(isCopyOf(nobody, booker)).toBe(true);
    const child = { ...nobody, name: 'Byron', email: 'ada@example.com' };
    expect(isCopyOf(child, booker)).toBe(false);
    expect(isCopyOf({ ...nobody, email: 'byron@example.com' }, booker)).toBe(false);
    expect(isCopyOf({ ...nobody, phoneNumber: '+44' }, booker)).toBe(false);
    expect(isCopyOf({ ...booker, phoneNumber: '+44' }, { ...booker, phoneNumber: '+44' })).toBe(true);
  });

  test('have an email address and a phone number if given', () => {
    expect(vendorPerson({ fullName: 'Ada', email: ' ada@example.com ', phoneNumber: 4915 })).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      phoneNumber: '4915',
    });
  });
});

describe('a booking in a native form', () => {
  const booking: Booking = {
    id: 'b',
    status: 'OK',
    contact: { name: 'Ada', email: undefined },
    pax: 1,
    guests: [{ id: '1', name: undefined }],
    bookedSessions: [{ startsAt: '2027-06-12T07:30:00Z' }],
    notes: undefined,
  };

  const asked = { bookingId: 'b', idPath: 'ref', withoutSession: 'it has no date: give it one' };

  test('gets its status group, and no undefined fields', () => {
    const fetched = finishNativeBooking(new Reading(), booking, asked, { OK: 'active' });
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

  test('gets one warning for all guests without a name', () => {
    const guests = Array.from({ length: 200 }, (_none, index) => ({ id: String(index) }));
    const group = { ...booking, pax: 201, guests: [...guests, { id: 'lead', name: 'Ada' }] };
    expect(finishNativeBooking(new Reading(), group, asked, undefined).warnings).toEqual([
      {
        code: 'guest_without_name',
        message: '200 of 201 guests have no name',
      },
    ]);
  });

  test('gets a warning for a status that the map lacks', () => {
    const finished = (status: string) =>
      finishNativeBooking(new Reading(), { ...booking, guests: [], status }, asked, { OK: 'active' });
    expect(finished('OK').warnings).toEqual([]);
    for (const status of ['NEW', 'constructor']) {
      expect(finished(status).warnings).toMatchObject([{ code: 'unknown_status', path: 'status' }]);
    }
  });

  test('keeps a status group that depends on more than the status', () => {
    const unapproved = { ...booking, guests: [], status: 'paid', statusGroup: 'other' as const };
    const finished = (statusMap: Readonly<Record<string, StatusGroup>>) =>
      finishNativeBooking(new Reading(), unapproved, asked, statusMap);
    for (const status of ['paid', 'held']) {
      expect(finished({ [status]: 'active' })).toMatchObject({
        booking: { statusGroup: 'other' },
        warnings: [],
      });
    }
  });

  test('may have no session only if it is cancelled', () => {
    const open = { ...booking, bookedSessions: [] };
    const statusMap = { OK: 'active', GONE: 'cancelled' } as const;
    expect(() => finishNativeBooking(new Reading(), open, asked, statusMap)).toThrow(
      'it has no date: give it one',
    );
    expect(() => finishNativeBooking(new Reading(), open, asked, undefined)).toThrow(
      'it has no date: give it one',
    );
    const gone = finishNativeBooking(new Reading(), { ...open, status: 'GONE' }, asked, statusMap);
    expect(gone.booking).toMatchObject({ statusGroup: 'cancelled', bookedSessions: [] });
    // As of a vendor that cancels by removing everything, and keeps the status.
    const emptied = finishNativeBooking(
      new Reading(),
      { ...open, statusGroup: 'cancelled' },
      asked,
      statusMap,
    );
    expect(emptied.booking).toMatchObject({ status: 'OK', statusGroup: 'cancelled', bookedSessions: [] });
  });

  test('gets a warning for another id, and throws if anything was refused', () => {
    const reading = new Reading();
    const another = { ...asked, bookingId: 'c' };
    expect(finishNativeBooking(reading, booking, another, undefined).warnings).toContainEqual(
      expect.objectContaining({ code: 'id_differs', path: 'ref' }),
    );
    expect(requiredObjects(reading, [{ a: 1 }, 'x'], 'items')[0]).toEqual({
      value: { a: 1 },
      path: 'items[0]',
    });
    expect(() => finishNativeBooking(reading, booking, asked, undefined)).toThrow('items[1] is a text');
    expect(() => {
      const other = new Reading();
      requiredObjects(other, undefined, 'items');
      other.throwIfRefused();
    }).toThrow('items is missing');
    const third = new Reading();
    expect(requiredObjects(third, { a: 1 }, 'items')).toEqual([]);
    expect(() => third.throwIfRefused()).toThrow('items is an object where a list must be');
  });

  test('keeps the vendor’s fields, and has no warning if the id is the requested one', () => {
    const named = { ...booking, guests: [{ id: '1', name: 'Ada' }], colour: 'red' };
    const fetched = finishNativeBooking(new Reading(), named, asked, undefined);
    expect(fetched).toMatchObject({ form: 'native', warnings: [], booking: { colour: 'red' } });
    expect(fetched.booking).not.toHaveProperty('statusGroup');
  });
});

describe('a waiver for a vendor', () => {
  test('is for a guest, for no guest, or for one that no longer exists', () => {
    const guests = [{ id: undefined }, { id: '1' }];
    const reading = new Reading();
    expect(findGuest(reading, guests, { ...waiver, bookingGuestId: '1' })).toBe(guests[1]);
    expect(findGuest(reading, guests, waiver)).toBeUndefined();
    expect(reading.warnings).toEqual([]);
    expect(findGuest(reading, guests, { ...waiver, bookingGuestId: '2' })).toBeUndefined();
    expect(reading.warnings).toMatchObject([
      { code: 'waiver_partly_written', path: 'bookingGuestId', message: expect.stringContaining('"2"') },
    ]);
  });

  test('fills fields from shared answers, and names required fields that have none', () => {
    const fields = [
      { id: 1, label: 'Full Name', isRequired: true },
      { id: 2, label: 'Height', isRequired: true },
      { id: 3, label: 'Weight', isRequired: false },
    ];
    expect(fillFields(waiver, fields)).toEqual({ values: [{ id: 1, value: 'Ada' }], missing: ['Height'] });
  });

  test('needs a booking id that can be part of a URL', () => {
    expect(bookingSegment('a/b ü', 'read')).toBe('a%2Fb%20%C3%BC');
    expect(() => bookingSegment('..', 'read')).toThrow(
      expect.objectContaining({ code: 'booking_not_found' }),
    );
    expect(() => bookingSegment('', 'guest-update')).toThrow(
      expect.objectContaining({ code: 'waiver_rejected', retry: 'never' }),
    );
  });
});
