import { noticeOf } from '@waiver-service/contract-suite';
import { objectOf, objectsIn } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import roller from '../src/index.ts';
import { passesIn, timeZoneIn, type Venue } from '../src/read/items.ts';
import { readBooking, readHead } from '../src/read.ts';
import { anyFixture, fixture } from './fixtures.ts';
import { bookingId } from './scenarios.ts';

const venue: Venue = { timeZone: 'Australia/Sydney', passes: passesIn(anyFixture('products')) };
const readFrom = (name: string, changes: Partial<Venue> = {}, body = fixture(name)) =>
  readBooking(
    { head: readHead(body), booking: body, owner: fixture('guest'), venue: { ...venue, ...changes } },
    bookingId,
  );

/** `paid.json` with another first item. */
function withItem(changes: object) {
  const [item, ...items] = objectsIn(fixture('paid').items);
  return { ...fixture('paid'), items: [{ ...item, ...changes }, ...items] };
}

describe('the time zone of the venue', () => {
  test('is what ROLLER names, in whichever of its fields is a name of the IANA database', () => {
    expect(timeZoneIn(fixture('venue'))).toBe('Australia/Sydney');
    expect(timeZoneIn({ timeZone: 'Australia/Perth' })).toBe('Australia/Perth');
    expect(timeZoneIn(fixture('venue-without-an-iana-zone'))).toBeUndefined();
    expect(timeZoneIn({})).toBeUndefined();
  });

  test('is demanded of the account where there is none, and not of a cancelled booking', () => {
    const unnamed = { timeZone: undefined };
    expect(() => readFrom('paid', unnamed)).toThrow(
      expect.objectContaining({
        code: 'invalid_booking_response',
        issues: [{ path: 'items', message: expect.stringContaining('set timeZone') }],
      }),
    );
    const { booking } = readFrom('cancelled', unnamed);
    expect(booking).toMatchObject({ statusGroup: 'cancelled', pax: 3, bookedSessions: [] });
  });

  test('of the account is one of the IANA database', () => {
    const account = { accountId: 1, apiKey: 'k', clientId: 'c' };
    expect(roller.accountSchema.safeParse({ ...account, timeZone: 'Australia/Brisbane' }).success).toBe(true);
    for (const timeZone of ['(UTC+10:00) Brisbane', '', 'x'.repeat(65)]) {
      expect(roller.accountSchema.safeParse({ ...account, timeZone }).success, timeZone).toBe(false);
    }
  });
});

test('an installation in the test environment is in ROLLER’s Playground', () => {
  const account = roller.accountSchema.parse({ accountId: 1, apiKey: 'k', clientId: 'c' });
  const addressIn = (environment?: 'live' | 'test') =>
    roller.url?.({ settings: {}, account, purpose: 'read', environment });
  expect(addressIn()).toBe('https://api.roller.app');
  expect(addressIn('live')).toBe('https://api.roller.app');
  expect(addressIn('test')).toBe('https://api.play.roller.app');
});

describe('the account', () => {
  test('needs a client id of 1 to 256 characters', () => {
    const account = { accountId: 1, apiKey: 'k' };
    for (const clientId of [undefined, '', ' ', 'c'.repeat(257)]) {
      expect(roller.accountSchema.safeParse({ ...account, clientId }).success, clientId).toBe(false);
    }
    expect(roller.accountSchema.safeParse({ ...account, clientId: 'c'.repeat(256) }).success).toBe(true);
  });
});

describe('products', () => {
  test('that are passes of any kind are known by their variations', () => {
    expect([...venue.passes.keys()]).toEqual(['99501', '99502', '99503', '99601', '99801']);
    expect(venue.passes.get('99502')).toEqual({
      activityId: '99500',
      activityName: '90 Minute Jump',
      variation: 'Children',
      groupSize: 1,
    });
    expect(venue.passes.get('99503')).toMatchObject({ groupSize: 4 });
    expect(venue.passes.get('99801')).toMatchObject({ activityId: '99800', activityName: 'Season Pass' });
  });

  test('of other kinds are none, whatever filter ROLLER applied', () => {
    for (const type of [
      'addon',
      'giftcard',
      'wallet',
      'package',
      'partypackage',
      'cashlesscard',
      'custom',
      undefined,
    ]) {
      expect(passesIn([{ type, id: '1', products: [{ id: '2' }] }]).size, type).toBe(0);
    }
  });

  test('whose group size is no number of people are for one', () => {
    for (const groupSize of [undefined, null, 0, -4, 1.5, 'many', {}]) {
      const passes = passesIn([{ type: 'pass', products: [{ id: '1', groupSize }] }]);
      expect(passes.get('1')?.groupSize, String(groupSize)).toBe(1);
    }
    expect(passesIn([{ type: 'pass', products: [{ id: '1', groupSize: '15' }] }]).get('1')?.groupSize).toBe(
      15,
    );
  });

  test('in no list, without variations or without ids are none', () => {
    expect(passesIn({ message: 'x' }).size).toBe(0);
    expect(passesIn([{ type: 'pass' }, { type: 'pass', products: [{}] }]).size).toBe(0);
  });
});

describe('items', () => {
  test('that are no passes are neither sessions nor people, although they have tickets', () => {
    const { booking, warnings } = readFrom('paid');
    expect(booking).toMatchObject({ pax: 3, bookedSessions: [{ activityId: '99500' }] });
    expect(booking.guests).toHaveLength(3);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'item_skipped', path: 'items[2]' }));
  });

  test('without a pass leave no session: the message says what to do', () => {
    expect(() => readFrom('only-add-ons')).toThrow(/no pass with a date.*add one in ROLLER/);
  });

  test('of products that are all unknown count if they have a session time', () => {
    const { booking } = readFrom('paid', { passes: new Map() });
    expect(booking).toMatchObject({
      pax: 3,
      bookedSessions: [{ activityId: '99501' }, { activityId: '99502' }],
    });
  });

  test('that cannot be read refuse the booking', () => {
    for (const items of [undefined, null, 'none', [7]]) {
      expect(() => readFrom('paid', {}, { ...fixture('paid'), items })).toThrow(
        expect.objectContaining({ code: 'invalid_booking_response' }),
      );
    }
    for (const quantity of [undefined, -1, 'two']) {
      expect(() => readFrom('paid', {}, withItem({ quantity }))).toThrow(/items\[0\]|is not a booking/);
    }
  });

  test('at a time that no clock shows refuse the booking, and name it', () => {
    expect(() => readFrom('time-out-of-the-clock')).toThrow(
      expect.objectContaining({
        issues: [expect.objectContaining({ path: 'items[0].sessionStartTime' })],
      }),
    );
    expect(() => readFrom('paid', {}, withItem({ bookingDate: '3 July' }))).toThrow(
      expect.objectContaining({ code: 'invalid_booking_response' }),
    );
  });

  test('with a date and time for a date are read by the date', () => {
    const item = { bookingDate: '2027-07-03T00:00:00', bookingEndDate: '2027-07-03T00:00:00' };
    expect(readFrom('paid', {}, withItem(item)).booking.bookedSessions).toHaveLength(1);
  });

  test('of a session from midnight to midnight last a day', () => {
    const { booking } = readFrom(
      'paid',
      {},
      withItem({ sessionStartTime: '00:00', sessionEndTime: '00:00' }),
    );
    expect(booking.bookedSessions[0]).toMatchObject({
      startsAt: '2027-07-02T14:00:00Z',
      endsAt: '2027-07-03T14:00:00Z',
    });
  });

  test('of another day or end are separate sessions', () => {
    for (const change of [{ bookingDate: '2027-07-04' }, { sessionEndTime: '13:00' }]) {
      expect(readFrom('paid', {}, withItem(change)).booking.bookedSessions).toHaveLength(2);
    }
  });
});

describe('the number of people', () => {
  const paxOf = (productId: string, quantity: number, tickets: number) => {
    const [item] = objectsIn(fixture('paid').items);
    const named = Array.from({ length: tickets }, (_, index) => ({ ticketId: `t${index}` }));
    const items = [{ ...item, productId, quantity, tickets: named }];
    const { booking, warnings } = readFrom('paid', {}, { ...fixture('paid'), items });
    const disagrees = warnings.filter(({ code }) => code === 'count_disagrees');
    return [booking.pax, disagrees.map(({ path }) => path)];
  };

  test.each([
    ['26 of one person with one ticket', '99501', 26, 1, 26, true],
    ['two of one person with two', '99501', 2, 2, 2, false],
    ['two of one person without tickets', '99501', 2, 0, 2, false],
    ['one of one person with four tickets', '99501', 1, 4, 4, false],
    ['two groups of four with eight', '99503', 2, 8, 8, false],
    ['two groups of four with a ticket each', '99503', 2, 2, 8, true],
    ['two groups of four without tickets', '99503', 2, 0, 8, true],
    ['two groups of four with nine tickets', '99503', 2, 9, 9, false],
    ['none with one ticket', '99501', 0, 1, 1, false],
    ['two of an unknown product', '55555', 2, 1, 2, true],
  ])('of %s', (_name, productId, quantity, tickets, pax, isDoubtful) => {
    expect(paxOf(productId, quantity, tickets)).toEqual([pax, isDoubtful ? ['items[0].tickets'] : []]);
  });
});

describe('the start of a session', () => {
  test('is `sessionStartTime`, and `startTime` only without it', () => {
    const startOf = (item: object) =>
      readFrom('paid', {}, withItem(item)).booking.bookedSessions[0]?.startsAt;
    expect(startOf({ startTime: '11:00' })).toBe('2027-07-03T00:30:00Z');
    for (const sessionStartTime of [undefined, null, ' ']) {
      expect(startOf({ sessionStartTime, startTime: '11:00' })).toBe('2027-07-03T01:00:00Z');
    }
    expect(() => readFrom('paid', {}, withItem({ sessionStartTime: null, startTime: '25:00' }))).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'items[0].startTime' })] }),
    );
  });

  test('makes an item of an unknown product one that admits people', () => {
    expect(readFrom('start-time', { passes: new Map() }).booking).toMatchObject({
      pax: 1,
      bookedSessions: [{ startsAt: '2027-07-03T00:30:00Z', activityId: '99501' }],
    });
  });
});

describe('participants', () => {
  test.each([
    ['Adult', 'adult'],
    ['adults', 'adult'],
    ['Child', 'child'],
    ['CHILDREN', 'child'],
    ['Adult (16+)', 'Adult (16+)'],
    ['Jumper', 'Jumper'],
  ])('%s is %s', (variation, type) => {
    const passes = new Map([['99501', { activityId: '1', activityName: 'Jump', variation, groupSize: 1 }]]);
    expect(readFrom('paid', { passes }).booking.guests[0]?.participantType).toBe(type);
  });

  test('keep a name of spaces as none', () => {
    const tickets = [{ ticketId: '1', ticketHolderName: ' ', name: ' Mele ' }];
    const { booking } = readFrom('paid', {}, withItem({ tickets }));
    expect(booking.guests[0]).toMatchObject({ id: '1', name: 'Mele' });
  });
});

describe('statuses', () => {
  test.each([
    ['NoPaymentRequired', 'active'],
    ['PendingPayment', 'active'],
    ['PartiallyPaid', 'active'],
    ['Paid', 'active'],
    ['Draft', 'other'],
    ['Cancelled', 'cancelled'],
    ['Deleted', 'cancelled'],
    ['Refunded', 'other'],
  ])('%s is %s', (status, statusGroup) => {
    const { booking, warnings } = readFrom('paid', {}, { ...fixture('paid'), status });
    expect(booking.statusGroup).toBe(statusGroup);
    const unknown = warnings.filter(({ code }) => code === 'unknown_status').map(({ path }) => path);
    expect(unknown).toEqual(status === 'Refunded' ? ['status'] : []);
  });

  test('are needed, and so is the unique id', () => {
    for (const name of ['status', 'uniqueId']) {
      expect(() => readHead({ ...fixture('paid'), [name]: undefined })).toThrow(
        expect.objectContaining({ issues: [{ path: name, message: 'is missing' }] }),
      );
    }
  });
});

describe('what is not for guests', () => {
  test('is not in the booking: what the counter notes, metadata, payments', () => {
    const body = {
      ...fixture('paid'),
      comments: null,
      metadata: { 'waiver-1': '[waiver 1] updated 2027-06-01' },
      payments: [{}],
    };
    const { booking } = readFrom('paid', {}, body);
    for (const name of ['notes', 'posNotes', 'metadata', 'payments', 'total'])
      expect(booking).not.toHaveProperty(name);
  });
});

describe('webhook messages', () => {
  const inbound = (body: unknown) => noticeOf(roller, { body })?.bookingIds;

  test('of other types name no booking, even if their data have a unique id', () => {
    for (const type of [
      'Redemption',
      'Customer',
      'BulkExport',
      'SignedWaiver',
      'PaymentLink',
      3,
      8,
      undefined,
    ]) {
      expect(inbound({ ...fixture('inbound-booking'), type }), String(type)).toEqual([]);
    }
  });

  test('without a unique id name none', () => {
    for (const data of [
      undefined,
      null,
      [],
      {},
      { uniqueId: '' },
      { booking: 'b' },
      { booking: { id: 1 } },
    ]) {
      expect(inbound({ ...fixture('inbound-booking'), data })).toEqual([]);
    }
  });

  test('that are no objects are refused', () => {
    for (const body of [undefined, null, 'text', []]) expect(() => inbound(body)).toThrow();
  });

  test('name the booking by its unique id as read', () => {
    expect(inbound(fixture('inbound-booking'))).toEqual([objectOf(fixture('inbound-booking').data).uniqueId]);
  });
});
