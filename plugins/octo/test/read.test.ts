import { zBooking, zErrorInvalidBookingUuid } from '@octocloud/types';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { connected } from './connected.ts';
import { bookingId, fixture, fixtureNames, unitItemId } from './fixtures.ts';

function read(changes: object) {
  nock('https://octo.example')
    .get(`/bookings/${bookingId}`)
    .reply(200, fixture('two-adults-with-names', changes))
    .get(/^\/products\//)
    .optionally()
    .reply(200, {});
  return connected('https://octo.example').read(bookingId);
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
    [{ product: { ...booked.product, availabilityType: 'OPENING_HOURS' } }, false],
    [
      { ...withTimes(midnight, next), product: { ...booked.product, availabilityType: 'OPENING_HOURS' } },
      true,
    ],
    [{}, false],
  ])('%#', async (changes, isDay) => {
    expect(await warned(changes)).toBe(isDay);
  });

  test('opening hours that are a part of the day are said to be opening hours', async () => {
    const product = { ...booked.product, availabilityType: 'OPENING_HOURS' };
    const hours = withTimes('2027-06-12T14:00:00+01:00', '2027-06-12T18:00:00+01:00');
    for (const allDay of [true, false, undefined]) {
      const { booking, warnings } = await read({ availability: { ...hours.availability, allDay }, product });
      expect(booking.bookedSessions).toMatchObject([
        { startsAt: '2027-06-12T13:00:00Z', endsAt: '2027-06-12T17:00:00Z' },
      ]);
      expect(warnings).toMatchObject([
        { code: 'session_incomplete', message: 'no time was booked: the session is the opening hours' },
      ]);
    }
  });

  test('opening hours of a product that no longer exists are known by the availability', async () => {
    const hours = { allDay: true, openingHours: [{ from: '14:00', to: '18:00' }] };
    const { availability } = withTimes('2027-06-12T14:00:00+01:00', '2027-06-12T18:00:00+01:00', hours);
    const { warnings } = await read({ availability, product: { timeZone: 'Europe/London' } });
    expect(warnings.map(({ message }) => message)).toContain(
      'no time was booked: the session is the opening hours',
    );
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

describe('statuses of unit items', () => {
  const [one, two] = [unitItemId(1), unitItemId(2)];
  const codesOf = async (changes: object) => {
    const { booking, warnings } = await read(changes);
    const found = warnings.map(({ code, path }) => `${code} ${path}`);
    return { pax: booking.pax, group: booking.statusGroup, found };
  };
  const upgraded = { ...first, status: 'UPGRADED', rebookingUuid: 'b2' };

  test('one that was upgraded is not counted beside its replacement', async () => {
    const skipped = 'item_skipped unitItems[0]';
    const both = [{ ...upgraded, rebookingUnitItemUuid: two }, second];
    expect(await codesOf({ unitItems: both })).toEqual({ pax: 1, group: 'active', found: [skipped] });
    const rebooked = [{ ...first, rebookingUnitItemUuid: two }, second];
    expect(await codesOf({ unitItems: rebooked })).toEqual({ pax: 1, group: 'active', found: [skipped] });
    const elsewhere = [{ ...upgraded, rebookingUnitItemUuid: 'u9' }];
    expect(await codesOf({ unitItems: elsewhere })).toEqual({
      pax: 0,
      group: 'active',
      found: [skipped, 'nobody_expected pax'],
    });
  });

  test('one that names no replacement, or is the replacement itself, counts', async () => {
    for (const item of [
      upgraded,
      { ...first, rebookingUnitItemUuid: 'u9' },
      { ...first, originalRebookingUnitItemUuid: one },
      { ...first, status: 'NOSHOW' },
    ]) {
      expect(await codesOf({ unitItems: [item, second] })).toEqual({ pax: 2, group: 'active', found: [] });
    }
  });

  test('one whose replacement is itself, was cancelled, or is replaced by it, counts', async () => {
    const named = (item: object, replacement: string) => ({ ...item, rebookingUnitItemUuid: replacement });
    for (const [unitItems, pax] of [
      [[named(first, one), second], 2],
      [[named({ ...first, status: 'UPGRADED' }, one), second], 2],
      [[named(first, two), { ...second, status: 'CANCELLED' }], 1],
      [[named(first, two), named(second, one)], 2],
    ] as const) {
      expect(await codesOf({ unitItems })).toEqual({ pax, group: 'active', found: [] });
    }
  });

  test('an unknown one is a warning, and its people are expected', async () => {
    const unitItems = [{ ...first, status: 'MOVED' }, second];
    expect(await codesOf({ unitItems })).toEqual({
      pax: 2,
      group: 'active',
      found: ['unknown_status unitItems[0].status'],
    });
  });
});

test('a confirmed booking without unit items, or of no admission, expects nobody, which is a warning', async () => {
  const towel = { ...first, unit: { ...first.unit, restrictions: { paxCount: 0 } } };
  for (const unitItems of [[], [towel]]) {
    const { booking, warnings } = await read({ unitItems });
    expect(booking).toMatchObject({ pax: 0, statusGroup: 'active' });
    expect(warnings).toMatchObject([{ code: 'nobody_expected', path: 'pax' }]);
  }
  expect((await read({ unitItems: [], status: 'ON_HOLD' })).warnings).toEqual([]);
});

// Found in the vendors' own examples, although the published schema does not allow it.
const knownBreaches: Readonly<Record<string, readonly string[]>> = {
  'empty-texts': ['contact.emailAddress', 'unitItems.0.contact.emailAddress'],
};

test.each(fixtureNames)('%s conforms to OCTO’s schema', (name) => {
  const parsed = zBooking.safeParse(fixture(name));
  const breaches = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  expect(breaches).toEqual(knownBreaches[name] ?? []);
});

test('the schema does reject invalid bookings', () => {
  expect(zBooking.safeParse(fixture('all-day', { status: 'SOLD' })).success).toBe(false);
  expect(zBooking.safeParse(fixture('all-day', { unitItems: [{}] })).success).toBe(false);
});

test('the body of "not found" is OCTO’s', () => {
  zErrorInvalidBookingUuid.parse({ error: 'INVALID_BOOKING_UUID', errorMessage: 'no', uuid: bookingId });
});
