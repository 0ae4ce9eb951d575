import { noticeOf } from '@waiver-service/contract-suite';
import type { JsonObject } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import bookeo from '../src/index.ts';
import { participantsOf, readBooking as readWith } from '../src/read.ts';
import { fixture } from './fixtures.ts';

const id = '1550908071234567';
const readBooking = (booking: JsonObject, bookingId: string) => readWith(booking, bookingId, 'Waiver');
const messageOf = (name: string) => {
  try {
    return JSON.stringify(readBooking(fixture(name), id));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};
const withDetails = (...details: unknown[]) => ({
  ...fixture('two-people'),
  participants: { numbers: [{ number: details.length }], details },
});
const place = { peopleCategoryId: 'Cadults', categoryIndex: 1 };
const adult = { id: 'Cadults-1', participantType: 'adult', peopleCategoryId: 'Cadults' };

describe('who holds a place', () => {
  test('a place without a personId uses the person’s own id', () => {
    const [found] = participantsOf(withDetails({ ...place, personDetails: { id: 'L9', firstName: 'Li' } }));
    expect(found?.address).toBe('customers/4155500C1/linkedpeople/L9');
  });

  test('a new person has a name and cannot be changed', () => {
    const booking = withDetails({ ...place, personId: 'PNEW', personDetails: { firstName: 'Li' } });
    expect(readBooking(booking, id).booking.guests).toEqual([{ ...adult, name: 'Li' }]);
    expect(participantsOf(booking)[0]?.address).toBeUndefined();
  });

  test('PUNKNOWN has no person, whatever the details say', () => {
    const booking = withDetails({ ...place, personId: 'PUNKNOWN', personDetails: { firstName: 'Li' } });
    expect(readBooking(booking, id).booking.guests).toEqual([adult]);
  });

  test('a linked person belongs to their own customer, also if another one booked', () => {
    const personDetails = { firstName: 'Li', customerId: 'C/2' };
    const [found] = participantsOf(withDetails({ ...place, personId: 'L 9', personDetails }));
    expect(found?.address).toBe('customers/C%2F2/linkedpeople/L%209');
  });

  test('a place of the customer has their details; only a booking that shows the customer has their address', () => {
    const personDetails = { id: '4155500C1', firstName: 'Li' };
    const details = [{ ...place, personId: 'PSELF', personDetails }];
    const booking = { customerId: 'C 1', participants: { details } };
    for (const [customer, address] of [
      [undefined, undefined],
      [null, undefined],
      [{}, undefined],
      [{ firstName: 'Li', emailAddress: 'li@example.com' }, 'customers/C%201'],
    ] as const) {
      expect(participantsOf({ ...booking, customer })[0]).toMatchObject({ person: personDetails, address });
    }
  });

  test('a place without an index is a guest without an id, with a warning', () => {
    const { booking, warnings } = readBooking(withDetails({ personId: 'PSELF' }), id);
    expect(booking.guests).toEqual([expect.not.objectContaining({ id: expect.anything() })]);
    expect(warnings).toEqual([expect.objectContaining({ code: 'value_ignored' })]);
  });
});

describe('fields of a guest', () => {
  const guestWith = (personDetails: object, category = 'Cadults') => {
    const details = { personId: 'L1', peopleCategoryId: category, categoryIndex: 1, personDetails };
    return readBooking(withDetails(details), id).booking.guests[0];
  };

  test.each([
    ['Cadults', 'adult'],
    ['Cchildren', 'child'],
    ['Cinfants', 'Cinfants'],
    ['4155A9', '4155A9'],
  ])('the category %s becomes the participant type %s', (category, participantType) => {
    expect(guestWith({ firstName: 'Li' }, category)).toMatchObject({
      participantType,
      peopleCategoryId: category,
    });
  });

  test('the first phone that has a number is the guest’s', () => {
    const phoneNumbers = [{ type: 'home' }, { number: '+43 1', type: 'work' }, { number: '+43 2' }];
    expect(guestWith({ firstName: 'Li', phoneNumbers })).toMatchObject({ phoneNumber: '+43 1' });
  });

  test('birth date, gender and custom fields are kept by Bookeo’s names', () => {
    const customFields = [
      { id: 'F2', name: 'Shoe size', value: '34' },
      { id: 'F3', value: 'vegan' },
      { id: 'F4', name: 'Name', value: ' ' },
      { id: 'F5', name: 'id', value: 'not ours' },
      { id: 'F6', name: 'participantType', value: 'giant' },
      { id: 'F2', name: 'Shoe size', value: '35' },
      { value: 'an answer to nothing' },
    ];
    const person = {
      firstName: 'Li',
      dateOfBirth: '2015-03-02',
      gender: 'female',
      creationTime: 'x',
      customFields,
    };
    expect(guestWith(person)).toEqual({
      ...adult,
      name: 'Li',
      dateOfBirth: '2015-03-02',
      gender: 'female',
      'Shoe size': '34',
      F3: 'vegan',
    });
  });

  test('the waiver field is not passed on, found by name or id: it may contain other guests’ answers', () => {
    expect(JSON.stringify(readBooking(fixture('two-people'), id))).not.toContain('Paper waiver');
    expect(JSON.stringify(readWith(fixture('two-people'), id, 'cf1'))).not.toContain('Paper waiver');
    expect(JSON.stringify(readWith(fixture('two-people'), id, 'Other'))).toContain('Paper waiver');
  });
});

describe('an invalid value is named', () => {
  test.each([
    [{ bookingNumber: null }, 'bookingNumber'],
    [{ endTime: '2027-06-14T10:30' }, 'endTime'],
    [{ participants: { numbers: {} } }, 'participants.numbers'],
    [{ participants: { numbers: [{ number: 'many' }] } }, 'participants.numbers[0].number'],
  ])('%j', (change, path) => {
    expect(() => readBooking({ ...fixture('two-people'), ...change }, id)).toThrow(path);
  });

  test('in a warning with its path, if it is tolerated', () => {
    const warningOf = (change: JsonObject, asked = id) =>
      readBooking({ ...fixture('two-people'), ...change }, asked).warnings.map(({ path }) => path);
    expect(warningOf({}, '77')).toEqual(['bookingNumber']);
    expect(
      warningOf({ participants: { ...Object(fixture('two-people').participants), numbers: [] } }),
    ).toEqual(['participants.numbers']);
  });

  test('missing options are not invented', () => {
    for (const options of [[], null, undefined]) {
      const { booking } = readBooking({ ...fixture('two-people'), options }, id);
      expect(booking.options).toBeUndefined();
    }
  });
});

describe('the status', () => {
  test('is grouped as the map says', () => {
    const said: Record<string, object> = {
      accepted: { canceled: false, accepted: true },
      'not-accepted': { canceled: false, accepted: false },
      canceled: { canceled: true, accepted: true },
    };
    expect(Object.keys(said)).toEqual(Object.keys(bookeo.statusMap ?? {}));
    for (const [status, booleans] of Object.entries(said)) {
      const { booking } = readBooking({ ...fixture('two-people'), ...booleans }, id);
      expect([booking.status, booking.statusGroup]).toEqual([status, bookeo.statusMap?.[status]]);
    }
  });

  test('only a canceled booking is read without a time, with its guests and its pax', () => {
    const { booking: before } = readBooking(fixture('canceled'), id);
    const { startTime: _start, endTime: _end, ...gone } = fixture('canceled');
    expect(readBooking(gone, id).booking).toEqual({ ...before, bookedSessions: [] });
    expect(before).toMatchObject({ statusGroup: 'cancelled', pax: 2, guests: [{}, {}] });
    expect(() => readBooking({ ...gone, canceled: false }, id)).toThrow('startTime');
  });
});

test('a canceled booking is read whatever its times, its customer and its numbers are', () => {
  const { booking: before } = readBooking(fixture('canceled'), id);
  const canceled = (changes: object) => ({ ...fixture('canceled'), ...changes });
  const refused = (changes: object) => () => readBooking({ ...canceled(changes), canceled: false }, id);
  const { details } = Object(fixture('canceled').participants);
  for (const startTime of ['2027-06-14T10:00:00', 'soon', 7]) {
    expect(readBooking(canceled({ startTime }), id).booking).toEqual({ ...before, bookedSessions: [] });
    expect(refused({ startTime })).toThrow('startTime');
  }
  for (const numbers of [undefined, null, 'two', [{ number: 'many' }]]) {
    const participants = { numbers, details };
    expect(readBooking(canceled({ participants }), id).booking).toEqual(before);
    expect(refused({ participants })).toThrow('participants.numbers');
  }
  expect(readBooking(canceled({ participants: null }), id).booking).toMatchObject({ pax: 0, guests: [] });
  expect(readBooking(canceled({ customer: null }), id).booking).toMatchObject({
    statusGroup: 'cancelled',
    contact: { name: '' },
  });
  expect(refused({ customer: null })).toThrow('customer');
});

describe('a booking that cannot be read says what to do', () => {
  test.each([
    ['customer-not-shown', 'allow our application to read customers'],
    ['no-start', 'no start'],
    ['start-without-zone', 'startTime'],
  ])('%s', (name, words) => {
    expect(messageOf(name)).toContain(words);
  });
});

describe('calls', () => {
  const idsOf = (body: unknown) => noticeOf(bookeo, { body })?.bookingIds;

  test.each([undefined, null, 'itemId', []])('%j is refused', (body) => {
    expect(() => idsOf(body)).toThrow();
  });

  test.each([
    {},
    { itemId: null },
    { itemId: ' ' },
    { itemId: '4155500C1' },
    { itemId: '900712', item: {} },
    { itemId: '4155500C1', item: { id: '4155500C1', firstName: 'Noor', bookingNumber: null } },
    { itemId: 'P-1', item: { id: 'P-1', reason: 'Deposit', amount: { amount: '20', currency: 'EUR' } } },
    { itemId: [], item: [] },
  ])('%j names no booking', (body) => {
    expect(idsOf(body)).toEqual([]);
  });

  test.each([
    { itemId: '77', item: null },
    { itemId: '77' },
    { itemId: '1', item: { bookingNumber: '77' } },
    { item: { bookingNumber: 77 } },
  ])('%j names the booking 77', (body) => {
    expect(idsOf(body)).toEqual(['77']);
  });
});
