import type { JsonObject } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import { customerOf, participantsOf } from '../src/read/participants.ts';
import { isNameless } from '../src/write/update-people.ts';
import { unintendedChanges, withNewPerson } from '../src/write.ts';

const place = (categoryIndex: number, personId?: string): JsonObject => ({
  personId,
  peopleCategoryId: 'Cadults',
  categoryIndex,
});
const booking = (...details: readonly JsonObject[]): JsonObject => ({
  eventId: 'E1',
  price: { totalGross: { amount: '90', currency: 'EUR' } },
  participants: { numbers: [{ peopleCategoryId: 'Cadults', number: 2 }], details },
});

describe('the booking that is sent back to Bookeo', () => {
  test('has everything except read-only fields and null values', () => {
    const readOnly = {
      bookingNumber: '1',
      title: 'Noor Haddad',
      customer: { id: 'C1' },
      canceled: false,
      cancelationTime: '2027-06-01T08:00:00Z',
      cancelationAgent: 'staff',
      accepted: true,
      noShow: false,
      creationTime: '2027-05-01T08:00:00Z',
      creationAgent: 'staff',
      lastChangeTime: '2027-05-02T08:00:00Z',
      lastChangeAgent: 'staff',
      productName: 'Rafting',
      price: { totalGross: { amount: '90' } },
      promotionName: '',
      couponCodes: [],
      specificVoucherCode: '',
    };
    const { participants } = booking();
    const taken = { eventId: 'E1', privateEvent: false, note: '', options: [], participants };
    expect(withNewPerson({ ...taken, ...readOnly, externalRef: null }, 0, {})).toEqual(taken);
  });

  test('keeps the holders of other places, also where only the details name them', () => {
    const named = { ...place(1), personDetails: { id: 'L1', firstName: 'Sam' } };
    const { participants } = withNewPerson(booking(named, place(2)), 1, { firstName: 'Ana' });
    expect(participants).toMatchObject({
      details: [{ personId: 'L1', categoryIndex: 1 }, { personId: 'PNEW' }],
    });
  });

  test('marks a place without a person as PUNKNOWN', () => {
    const { participants } = withNewPerson(booking(place(1), place(2)), 1, { firstName: 'Ana' });
    expect(participants).toMatchObject({
      details: [
        { personId: 'PUNKNOWN', categoryIndex: 1 },
        { personId: 'PNEW', categoryIndex: 2, personDetails: { firstName: 'Ana' } },
      ],
    });
  });
});

describe('an unintended change', () => {
  const before = booking(place(1, 'L1'), place(2, 'PUNKNOWN'));

  test('is neither the holder of the waiver’s place nor the order of places', () => {
    expect(unintendedChanges(before, booking(place(2, 'L9'), place(1, 'L1')), 'Cadults-2')).toEqual([]);
  });

  test('is another holder of another place', () => {
    for (const other of [place(1, 'L2'), place(3, 'L1')]) {
      expect(unintendedChanges(before, booking(other, place(2, 'L9')), 'Cadults-2')).toEqual([
        'participants',
      ]);
    }
    expect(unintendedChanges(before, booking(place(2, 'L9')), 'Cadults-2')).toEqual(['participants']);
  });

  test.each([
    ['startTime', { startTime: '2027-06-12T09:00:00Z' }],
    ['endTime', { endTime: '2027-06-12T12:00:00Z' }],
    ['price', { price: { totalGross: { amount: '95', currency: 'EUR' } } }],
    ['options', { options: [{ id: 'O1' }] }],
    ['resources', { resources: [{ id: 'R1' }] }],
    ['numbers', { participants: { ...Object(before.participants), numbers: [] } }],
  ])('is another %s', (name, change) => {
    expect(unintendedChanges(before, { ...before, ...change }, 'Cadults-2')).toEqual([name]);
  });
});

describe('places', () => {
  test('a place has an id only if it has both a category and an index', () => {
    const details = [{ categoryIndex: 1 }, { peopleCategoryId: 'Cadults' }];
    for (const found of participantsOf(booking(...details))) {
      expect(found).toMatchObject({ slot: undefined, personId: 'PUNKNOWN' });
    }
  });

  test('the customer is addressed by the booking’s customerId, or by their own id', () => {
    const customer = { id: 'C9', firstName: 'Noor' };
    expect(customerOf({ customer }).address).toBe('customers/C9');
    expect(customerOf({ customerId: 'C1', customer }).address).toBe('customers/C1');
    expect(customerOf({ customerId: 'C1', customer: { firstName: 'Noor' } }).address).toBe('customers/C1');
  });

  test('only a first or last name is a name, which a shared one does not replace', () => {
    expect([{ firstName: 'Cher' }, { lastName: 'Soto' }].map(isNameless)).toEqual([false, false]);
    expect([{}, { firstName: ' ', lastName: '' }].map(isNameless)).toEqual([true, true]);
  });
});
