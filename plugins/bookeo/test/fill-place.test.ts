import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type BookeoBooking,
  type BookeoCustomer,
  bookeoBooking,
  bookeoCustomer,
  type SimulatedBookeo,
  startBookeo,
} from '../simulator/index.ts';
import bookeo from '../src/index.ts';

const keys = { apiKey: 'account-key-1', secretKey: 'secret-key-1' };
const { bookingNumber, customerId } = bookeoBooking;

const unknown = (peopleCategoryId: string, categoryIndex: number) => ({
  personId: 'PUNKNOWN',
  peopleCategoryId,
  categoryIndex,
});
/** Two adults and a child, all PUNKNOWN, as in all public examples. */
const nobodyKnown: BookeoBooking = {
  ...bookeoBooking,
  participants: {
    ...bookeoBooking.participants,
    details: [unknown('Cadults', 1), unknown('Cadults', 2), unknown('Cchildren', 1)],
  },
};

/** The waiver field of the booking's customer. */
const field = { id: 'F1', name: 'Waiver' };

let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo({ ...keys, bookings: [nobodyKnown] });
});
afterEach(() => system.close());

const push = (changes: Partial<Waiver> = {}, account: object = {}) =>
  connect(bookeo, {
    baseUrl: system.url,
    settings: { secretKey: keys.secretKey },
    account: { apiKey: keys.apiKey, ...account },
  }).push({
    bookingId: bookingNumber,
    bookingGuestId: 'Cadults-2',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const holders = () =>
  system.bookings.get(bookingNumber)?.participants.details.map(({ personId }) => personId);
const personAt = (index: number) => system.person(customerId, holders()?.[index]);
const routes = () => system.received.map(({ route }) => route);

test('the field has Bookeo’s id and name if anyone in the booking has it, else the account’s setting', async () => {
  const fieldsOf = async (waiverField: string, customers: readonly BookeoCustomer[]) => {
    await system.close();
    system = await startBookeo({ ...keys, bookings: [nobodyKnown], customers });
    await push({}, { waiverField });
    return personAt(1)?.customFields?.map(({ id, name }) => ({ id, name }));
  };
  const { customFields: _fields, ...person } = bookeoCustomer.person;
  expect(await fieldsOf('f1', [bookeoCustomer])).toEqual([field]);
  expect(await fieldsOf('Waiver', [{ ...bookeoCustomer, person }])).toEqual([
    { id: undefined, name: 'Waiver' },
  ]);
});

test('a booking by its time keeps its time and its resources', async () => {
  const { eventId: _event, ...byTime } = nobodyKnown;
  for (const flexible of [
    { ...byTime, resources: [{ id: 'R1', name: 'Boat 1' }] },
    { ...nobodyKnown, resources: [{ id: 'R1', name: 'Boat 1' }] },
    byTime,
  ]) {
    system.put({ ...flexible, bookingNumber });
    expect(await push()).toMatchObject({ accepted: true, warnings: [] });
    expect(system.bookings.get(bookingNumber)).toMatchObject({
      startTime: bookeoBooking.startTime,
      endTime: bookeoBooking.endTime,
      ...('resources' in flexible ? { resources: flexible.resources } : {}),
    });
  }
});

test('two guests of one booking are both written, an update replaces the line, a void removes only the line', async () => {
  await push({ name: 'Ana Soto' });
  await push({ id: 'w2', bookingGuestId: 'Cchildren-1', name: 'Leo' });
  await push({ name: 'Ana Soto', updatedAt: '2027-06-11T08:00:00.000Z', diet: 'vegan' });
  expect(personAt(1)?.customFields).toEqual([
    {
      ...field,
      value: `[waiver w1@${bookingNumber}] updated 2027-06-11 · name: Ana Soto · diet: vegan [end]`,
    },
  ]);
  expect(personAt(2)).toMatchObject({
    firstName: 'Leo',
    customFields: [expect.objectContaining({ name: 'Waiver' })],
  });
  await push({ deleted: true });
  expect(personAt(1)).toMatchObject({ firstName: 'Ana', customFields: [{ ...field, value: '' }] });
  expect(JSON.stringify(personAt(2))).toContain('[waiver w2@');
});

test('without a shared name the person has none, and gets one later; an existing name is kept', async () => {
  await push();
  expect(personAt(1)).not.toHaveProperty('firstName');
  await push({ name: 'Ana Soto', updatedAt: '2027-06-11T08:00:00.000Z' });
  expect(personAt(1)).toMatchObject({ firstName: 'Ana', lastName: 'Soto' });
  await push({ name: 'Somebody Else', updatedAt: '2027-06-12T08:00:00.000Z' });
  expect(personAt(1)).toMatchObject({ firstName: 'Ana', lastName: 'Soto' });
});

test.each([
  [{ name: 'Cher' }, { firstName: 'Cher' }],
  [{ name: '  Ana  María   Soto ' }, { firstName: 'Ana María', lastName: 'Soto' }],
  [
    { name: 'Ana Soto', firstName: 'Ana María', lastName: 'Soto Ruiz' },
    { firstName: 'Ana María', lastName: 'Soto Ruiz' },
  ],
  [{ name: 'Ana Soto', lastName: 'Soto' }, { lastName: 'Soto' }],
  [{ name: 'Ana Soto', firstName: 'Ana María' }, { firstName: 'Ana María' }],
  [{ name: ' ' }, {}],
])('the answers %j are the names %j', async (answers, names) => {
  await push(answers);
  const { firstName, lastName } = personAt(1) ?? {};
  expect({ firstName, lastName }).toEqual({ firstName: undefined, lastName: undefined, ...names });
});

test('a canceled booking, and one whose promotion could be lost, are not changed, with a reason', async () => {
  for (const [change, words] of [
    [{ canceled: true }, 'canceled'],
    [{ promotionName: 'Early bird' }, 'promotion'],
    [{ couponCodes: ['EARLY'] }, 'promotion'],
    [{ specificVoucherCode: 'GIFT-1' }, 'voucher'],
  ] as const) {
    system.put({ ...nobodyKnown, ...change });
    const reason = expect.stringContaining(words);
    expect(await push()).toEqual({ accepted: false, reason, warnings: [] });
    expect(await push({ deleted: true })).toEqual({ accepted: true, warnings: [] });
  }
  system.put({ ...nobodyKnown, couponCodes: [], promotionName: '' });
  expect(await push()).toMatchObject({ accepted: true });
  expect(routes().filter((route) => route === 'booking')).toHaveLength(1);
});

test('a waiver whose place has become empty is removed from its former holder and written again', async () => {
  await push({ name: 'Ana' });
  const former = holders()?.[1];
  system.put(nobodyKnown);
  const { details, numbers } = nobodyKnown.participants;
  const moved = [{ ...unknown('Cadults', 1), personId: String(former) }, ...details.slice(1)];
  system.put({ ...nobodyKnown, participants: { numbers, details: moved } });
  await push({ name: 'Ana' });
  expect(JSON.stringify(system.person(customerId, former))).not.toContain('[waiver w1');
  expect(JSON.stringify(personAt(1))).toContain('[waiver w1@');
  system.put({ ...nobodyKnown, participants: { numbers, details: moved.slice(0, 1) } });
  await push({ bookingGuestId: 'Cadults-1', name: 'Ana' });
  const noPlace = { accepted: false, reason: expect.stringContaining('no place'), warnings: [] };
  expect(await push({ bookingGuestId: 'Cguides-1' }), 'removed, and written nowhere').toEqual({
    ...noPlace,
    reason: expect.stringMatching(/no place .*taken from who held it before/),
  });
  expect(await push({ bookingGuestId: 'Cguides-1' }), 'sent again').toEqual(noPlace);
});

test('errors contain Bookeo’s message', async () => {
  await system.close();
  system = await startBookeo({ ...keys, bookings: [nobodyKnown], customFields: [] });
  await expect(push()).rejects.toMatchObject({
    code: 'waiver_rejected',
    retry: 'three-attempts',
    message: expect.stringMatching(
      /custom field "Waiver", from a person without a name: share `name`.*no customer custom field/,
    ),
  });
  await expect(push({ name: 'Ana' })).rejects.toThrow(/custom field "Waiver"\)/);
  system.faults.next('booking', { kind: 'status', status: 429, retryAfter: 30 });
  await expect(push()).rejects.toMatchObject({ code: 'booking_system_rate_limited' });
  expect(holders()).toEqual(['PUNKNOWN', 'PUNKNOWN', 'PUNKNOWN']);
});

test('a person without the details that Bookeo ignored is not accepted, and gets the line at the next attempt', async () => {
  await system.close();
  system = await startBookeo({ ...keys, bookings: [nobodyKnown], keepsNewPeople: false });
  await expect(push({ name: 'Ana Soto' })).rejects.toMatchObject({
    code: 'waiver_rejected',
    retry: 'three-attempts',
  });
  expect(personAt(1)).not.toHaveProperty('customFields');
  expect(await push({ name: 'Ana Soto' })).toEqual({ accepted: true, warnings: [] });
  expect(JSON.stringify(personAt(1))).toContain('[waiver w1@');
});

test.each([true, false])(
  'a person whom our key may not read is never accepted, whether or not Bookeo kept the details (%s)',
  async (keepsNewPeople) => {
    await system.close();
    system = await startBookeo({
      ...keys,
      bookings: [nobodyKnown],
      keepsNewPeople,
      showsLinkedPeople: false,
    });
    for (const updatedAt of ['2027-06-10T08:00:00.000Z', '2027-06-11T08:00:00.000Z']) {
      expect(await push({ name: 'Ana Soto', updatedAt })).toEqual({
        accepted: false,
        reason: expect.stringContaining('linked people'),
        warnings: [],
      });
    }
    expect(routes().filter((route) => route === 'booking')).toHaveLength(1);
  },
);
