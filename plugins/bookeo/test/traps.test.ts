import { isBookingSystemError } from '@waiver-service/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import bookeo from '../src/index.ts';
import { participantsOf } from '../src/native/participants.ts';
import { readBooking } from '../src/native/read-booking.ts';
import { fixture } from './fixture.ts';

const id = '1550908071234567';
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

describe('who holds a place', () => {
  test('a person without an id of their own in the place is found by the person’s', () => {
    const [found] = participantsOf(withDetails({ ...place, personDetails: { id: 'L9', firstName: 'Li' } }));
    expect(found?.address).toBe('customers/4155500C1/linkedpeople/L9');
  });

  test('a person who is new to Bookeo has a name and cannot be changed', () => {
    const booking = withDetails({ ...place, personId: 'PNEW', personDetails: { firstName: 'Li' } });
    expect(readBooking(booking, id).booking.guests).toEqual([{ id: 'Cadults-1', name: 'Li' }]);
    expect(participantsOf(booking)[0]?.address).toBeUndefined();
  });

  test('PUNKNOWN carries no person, whatever stands beside it', () => {
    const booking = withDetails({ ...place, personId: 'PUNKNOWN', personDetails: { firstName: 'Li' } });
    expect(readBooking(booking, id).booking.guests).toEqual([{ id: 'Cadults-1' }]);
  });

  test('a linked person belongs to their own customer, whoever made the booking', () => {
    const personDetails = { firstName: 'Li', customerId: 'C/2' };
    const [found] = participantsOf(withDetails({ ...place, personId: 'L 9', personDetails }));
    expect(found?.address).toBe('customers/C%2F2/linkedpeople/L%209');
  });

  test('a place without an index is a guest without an id, and that is said', () => {
    const { booking, warnings } = readBooking(withDetails({ personId: 'PSELF' }), id);
    expect(booking.guests).toEqual([expect.not.objectContaining({ id: expect.anything() })]);
    expect(warnings).toEqual([expect.objectContaining({ code: 'value_ignored' })]);
  });

  test('nobody’s custom fields are passed on: they hold the waivers of others', () => {
    expect(JSON.stringify(readBooking(fixture('two-people'), id))).not.toContain('Paper waiver');
  });
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

describe('what is not such a body', () => {
  test.each([
    undefined,
    'itemId',
    [],
    {},
    { itemId: null },
    { itemId: ' ' },
    { item: { bookingNumber: '1' } },
  ])('the call %j is refused', (body) => {
    expect(() => bookeo.parseInbound?.({ headers: {}, query: {}, body })).toThrow();
  });

  test('whatever stands in a booking’s fields, it is read or refused in our words', () => {
    const names = Object.keys(fixture('two-people'));
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, value) => {
        const changed = { ...fixture('two-people'), [name]: value };
        for (const body of [changed, withDetails(value, { ...place, personDetails: value })]) {
          try {
            expect(readBooking(body, id).booking.bookedSessions).toHaveLength(1);
          } catch (error) {
            if (!isBookingSystemError(error)) throw error;
            expect(error.code).toBe('invalid_booking_response');
          }
        }
      }),
    );
  });
});

describe('settings and account', () => {
  test('a secret key that a header cannot carry is refused', () => {
    for (const secretKey of [undefined, '', 'a\nb', 'ключ']) {
      expect(bookeo.settingsSchema.safeParse({ secretKey }).success).toBe(false);
    }
  });

  test('the custom field has a name even where the install names none', () => {
    expect(bookeo.accountSchema.parse({ accountId: 1, apiKey: 'k' })).toMatchObject({
      waiverField: 'Waiver',
    });
    const tooLong = { accountId: 1, apiKey: 'k', waiverField: 'x'.repeat(201) };
    expect(bookeo.accountSchema.safeParse(tooLong).success).toBe(false);
  });
});
