import { describe, expect, test } from 'vitest';
import octo from '../src/index.ts';
import { bookingId, fixture, unitItemId } from './fixtures.ts';

const unexpected = () => Promise.reject(new Error('a call was made'));
function read(changes: object) {
  const asked: string[] = [];
  const get = async (url: string) => {
    asked.push(url);
    const data = url.startsWith('products/') ? {} : fixture('two-adults-with-names', changes);
    return { status: 200, headers: {}, data };
  };
  const http = { get, delete: unexpected, post: unexpected, put: unexpected, patch: unexpected };
  const settings = octo.settingsSchema.parse({});
  const { signal } = new AbortController();
  const secrets = { redact: String, redactData: String };
  const account = { accountId: 'a', apiKey: 'k', changesUnitItems: false };
  return octo.fetchBooking(
    { pool: 'p', installation: crypto.randomUUID(), http, settings, account, secrets, signal },
    bookingId,
  );
}
const booked = Object(fixture('two-adults-with-names'));
const [first, second] = booked.unitItems;
const withTimes = (localDateTimeStart: unknown, localDateTimeEnd: unknown, more: object = {}) => ({
  availability: { ...booked.availability, localDateTimeStart, localDateTimeEnd, ...more },
});

describe('each fault is named with where it stands', () => {
  test.each([
    [withTimes('soon', null), 'availability.localDateTimeStart is "soon"'],
    [withTimes('2027-06-12T09:00:00+01:00', 'later'), 'availability.localDateTimeEnd is "later"'],
    [{ unitItems: 'two' }, 'unitItems is a text'],
    [
      { unitItems: [first, { ...second, unit: { restrictions: { paxCount: 'x' } } }] },
      'unitItems[1].unit.restrictions.paxCount',
    ],
  ])('%j', async (changes, message) => {
    await expect(read(changes)).rejects.toThrow(message);
  });

  test.each([
    [{ uuid: 'another' }, 'id_differs uuid'],
    [{ uuid: 7 }, 'number_as_string uuid'],
    [{ status: 7 }, 'number_as_string status'],
    [{ contact: {} }, 'contact_incomplete contact'],
    [{ productId: null }, 'session_incomplete availability'],
    [{ unitItems: [first, { ...second, uuid: first.uuid }] }, 'value_ignored unitItems[1].uuid'],
  ])('%j is a warning', async (changes, warning) => {
    const { warnings } = await read(changes);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toContain(warning);
  });
});

test('an end that equals the start is none', async () => {
  const start = '2027-06-12T09:00:00+01:00';
  const { booking, warnings } = await read(withTimes(start, start));
  expect(booking.bookedSessions[0]).not.toHaveProperty('endsAt');
  expect(warnings.map(({ code }) => code)).toEqual(['session_incomplete']);
});

test('guests of one uuid are told apart by their place; one without a uuid has no id', async () => {
  const unitItems = [
    first,
    { ...second, uuid: first.uuid },
    { ...second, uuid: '' },
    { ...second, uuid: first.uuid },
  ];
  const { booking } = await read({ unitItems });
  const id = unitItemId(1);
  expect(booking.guests.map((guest) => guest.id)).toEqual([id, `${id}:2`, undefined, `${id}:3`]);
});

describe('a session of a whole day is said to be one', () => {
  const warned = async (changes: object) => {
    const { warnings } = await read(changes);
    return warnings.some(({ message }) => message.includes('the whole day'));
  };
  const midnight = '2027-06-12T00:00:00+01:00';
  const next = '2027-06-13T00:00:00+01:00';
  const morning = '2027-06-12T09:00:00+01:00';
  test.each([
    [withTimes(midnight, next), true],
    [withTimes(midnight, morning), false],
    [withTimes(morning, next), false],
    [withTimes(morning, next, { allDay: true }), true],
    [withTimes(morning, next, { allDay: 'true' }), false],
    [{ product: { ...booked.product, availabilityType: 'OPENING_HOURS' } }, true],
    [{}, false],
  ])('%#', async (changes, isDay) => {
    expect(await warned(changes)).toBe(isDay);
  });
});

test('an activity has the product’s title, else its internal name', async () => {
  const nameOf = async (product: object) =>
    (await read({ product: { ...booked.product, ...product } })).booking.bookedSessions[0]?.activityName;
  expect(await nameOf({ title: 'Kayak tour of the bay' })).toBe('Kayak tour of the bay');
  expect(await nameOf({ title: ' ' })).toBe('Kayak tour');
});

test.each([
  ['ADULT', 'adult'],
  ['CHILD', 'child'],
  ['YOUTH', 'YOUTH'],
  [' ', undefined],
  [undefined, undefined],
])('a unit of the type %s makes a participant of the type %s', async (type, participantType) => {
  const { booking } = await read({ unitItems: [{ ...first, unit: { ...first.unit, type } }] });
  expect(booking.guests[0]?.participantType).toBe(participantType);
});

test('what the booking says of waivers and references comes along', async () => {
  const { booking } = await read({ waiversComplete: false, supplierReference: ' KAY-1 ', notes: ' ' });
  expect(booking).toMatchObject({ waiversComplete: false, supplierReference: 'KAY-1' });
  expect(booking).not.toHaveProperty('notes');
});

test('a unit is as many people as the booked option says, wherever that stands; else as any option says', async () => {
  const family = (paxCount: number) => ({ id: 'family', restrictions: { paxCount } });
  const paxOf = async (options: object[], optionId: string) => {
    const unitItems = [{ uuid: 'u', unitId: 'family' }];
    return (await read({ product: { ...booked.product, options }, optionId, unitItems })).booking.pax;
  };
  const [own, other] = [
    { id: 'OWN', units: [family(4)] },
    { id: 'OTHER', units: [family(9)] },
  ];
  expect(await paxOf([own, other], 'OWN')).toBe(4);
  expect(await paxOf([other, own], 'OWN')).toBe(4);
  expect(await paxOf([other], 'GONE')).toBe(9);
});
