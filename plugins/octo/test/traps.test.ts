import { connect, noticeOf } from '@waiver-service/contract-suite';
import { InvalidBookingResponse } from '@waiver-service/core';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import plugin from '../src/index.ts';
import { bookingId, fixture, unitItemId } from './fixtures.ts';

type ProductAnswer = { readonly status?: number; readonly data?: nock.Body };
const { availability: allDay } = fixture('all-day');
const unknownProduct = { status: 400, data: { error: 'INVALID_PRODUCT_ID', errorMessage: 'no' } };
const connected = () => connect(plugin, { baseUrl: 'https://octo.example' });
/** Reads a booking from a system that has `body` as the booking and `product` as the product. */
function read(body: object, { status = 200, data }: ProductAnswer = unknownProduct) {
  nock.cleanAll();
  nock('https://octo.example')
    .get(`/bookings/${bookingId}`)
    .reply(200, body)
    .get(/^\/products\//)
    .optionally()
    .reply(status, data);
  return connected().read(bookingId);
}

test('an open-dated booking is refused with a message for the operator', async () => {
  for (const availability of [null, undefined, {}, { localDateTimeStart: null }]) {
    const reading = read(fixture('open-dated', { availability }));
    await expect(reading).rejects.toThrow(/open-dated.*choose a date/);
    await expect(reading).rejects.toBeInstanceOf(InvalidBookingResponse);
  }
});

test('a time without an offset is refused if the product has no time zone', async () => {
  const product = { internalName: 'Kayak tour' };
  await expect(read(fixture('times-without-an-offset', { product }))).rejects.toThrow(
    /availability\.localDateTimeStart .* no time zone/,
  );
});

test('each missing required field is named', async () => {
  const missing = { uuid: undefined, status: null, unitItems: undefined };
  await expect(read(fixture('two-adults-with-names', missing))).rejects.toMatchObject({
    issues: [{ path: 'unitItems' }, { path: 'uuid' }, { path: 'status' }],
  });
  await expect(read(fixture('two-adults-with-names', { unitItems: ['adult'] }))).rejects.toThrow(
    'unitItems[0]',
  );
});

test('a booking without a contact or a product is read, with warnings', async () => {
  const bare = fixture('two-adults-with-names', { contact: null, product: null, unitItems: [{ uuid: 'u' }] });
  const { booking, warnings } = await read(bare);
  expect(booking).toMatchObject({ contact: { name: '' }, pax: 1, guests: [{ id: 'u' }] });
  expect(warnings.map(({ code }) => code).sort()).toEqual([
    'contact_incomplete',
    'guest_without_name',
    'session_incomplete',
    'value_ignored',
  ]);
});

describe('a booking without its product and units', () => {
  // As served by Peek and Ventrata.
  const bare = (changes: object = {}) => {
    const unitItems = [1, 2].map((place) => ({
      uuid: unitItemId(place),
      unitId: place === 1 ? 'family' : 'child',
      status: 'CONFIRMED',
    }));
    return fixture('times-without-an-offset', { product: undefined, unitItems, ...changes });
  };
  const units = [
    { id: 'family', type: 'FAMILY', restrictions: { paxCount: 4 } },
    { id: 'child', type: 'CHILD' },
  ];
  const options = [
    { id: 'OTHER', units: [{ id: 'family', restrictions: { paxCount: 9 } }] },
    { id: 'DEFAULT', units },
  ];
  const product = {
    id: 'kayak-tour',
    title: 'Kayak tour of the bay',
    timeZone: 'Europe/London',
    availabilityType: 'OPENING_HOURS',
    options,
  };

  test('is completed by the product: name, time zone, and people per unit', async () => {
    const { booking, warnings } = await read(bare(), { data: product });
    expect(booking).toMatchObject({
      pax: 5,
      guests: [{ participantType: 'FAMILY' }, { participantType: 'child' }],
      bookedSessions: [{ startsAt: '2027-06-12T08:00:00Z', activityName: 'Kayak tour of the bay' }],
    });
    expect(warnings.map(({ code }) => code)).toEqual(['session_incomplete', 'guest_without_name']);
  });

  test('needs no request if its units are included elsewhere', async () => {
    const booked = { option: { id: 'DEFAULT', units }, product: { ...product, options: [] } };
    for (const changes of [booked, { product }]) {
      expect((await read(bare(changes), { status: 500 })).booking.pax).toBe(5);
    }
  });

  test('counts each unit as one person if the product no longer exists, with a warning', async () => {
    for (const answer of [unknownProduct, { status: 404, data: 'gone' }]) {
      const { booking, warnings } = await read(bare({ availability: allDay }), answer);
      expect(booking.pax).toBe(2);
      expect(warnings).toContainEqual(expect.objectContaining({ code: 'value_ignored', path: 'productId' }));
    }
    expect((await read(bare({ availability: allDay, productId: '..' }))).booking.pax).toBe(2);
  });

  test('is not read while the product cannot be requested', async () => {
    await expect(read(bare(), { status: 503 })).rejects.toMatchObject({ code: 'booking_system_error' });
    await expect(read(bare(), { status: 429 })).rejects.toMatchObject({
      code: 'booking_system_rate_limited',
    });
  });
});

test('a single guest keeps the booker’s name; several have copies, which are ignored', async () => {
  const { contact, unitItems } = Object(fixture('two-adults-with-names'));
  const [lead, other] = unitItems;
  const names = async (list: readonly object[]) =>
    (await read(fixture('two-adults-with-names', { unitItems: list }))).booking.guests.map(
      ({ name }) => name,
    );
  expect(await names([{ ...lead, contact }, other])).toEqual(['Morag Sinclair', 'Rory Munro']);
  expect(await names([{ ...lead, contact }])).toEqual(['Morag Sinclair']);
  const fullNameOnly = { fullName: contact.fullName };
  expect(
    await names([
      { ...lead, contact },
      { ...other, contact: fullNameOnly },
    ]),
  ).toEqual([undefined, undefined]);
});

test('additional fields of a guest are kept, and override none of ours', async () => {
  const [first] = Object(fixture('two-adults-with-names')).unitItems;
  const contact = {
    fullName: 'Ailsa',
    country: 'GB',
    postalCode: 'EH1',
    notes: 'Left-handed',
    locales: ['gd', 7],
  };
  const questionAnswers = [
    { questionId: 'q1', value: 'nuts', question: { label: 'Any allergies?' } },
    { questionId: 'dateOfBirth', value: '1990-05-04' },
    { questionId: 'id', value: 'another' },
    { questionId: 'q4', value: '' },
    { value: 'nothing asked' },
  ];
  const extraItems = [
    { extraId: 'e1', extra: { title: 'Lunch' } },
    { extra: { internalName: 'Wetsuit' } },
    { extraId: 'e3' },
    {},
  ];
  const { booking } = await read(
    fixture('two-adults-with-names', { unitItems: [{ ...first, contact, questionAnswers, extraItems }] }),
  );
  expect(booking.guests).toEqual([
    {
      id: unitItemId(1),
      name: 'Ailsa',
      participantType: 'adult',
      unitId: 'adult',
      country: 'GB',
      postalCode: 'EH1',
      notes: 'Left-handed',
      locales: ['gd'],
      'Any allergies?': 'nuts',
      dateOfBirth: '1990-05-04',
      extras: ['Lunch', 'Wetsuit', 'e3'],
    },
  ]);
});

test.each([
  ['ON_HOLD', 'other'],
  ['CONFIRMED', 'active'],
  ['EXPIRED', 'cancelled'],
  ['CANCELLED', 'cancelled'],
  ['REDEEMED', 'active'],
  ['PENDING', 'other'],
  ['REJECTED', 'cancelled'],
  ['NOSHOW', 'other'],
  ['UPGRADED', 'other'],
  ['SOMETHING_NEW', 'other'],
])('a booking that is %s is %s', async (status, statusGroup) => {
  const { booking } = await read(fixture('two-adults-with-names', { status }));
  expect(booking).toMatchObject({ status, statusGroup, pax: 2 });
});

test.each([
  ['ON_HOLD', 1],
  ['CONFIRMED', 1],
  ['EXPIRED', 0],
  ['CANCELLED', 0],
  ['REDEEMED', 1],
  ['PENDING', 1],
  ['REJECTED', 0],
  ['NOSHOW', 1],
  ['UPGRADED', 1],
  ['SOMETHING_NEW', 1],
])('a unit item that is %s counts %i', async (status, pax) => {
  const [first, second] = Object(fixture('two-adults-with-names')).unitItems;
  const unitItems = [{ ...first, status }, second];
  const { booking } = await read(fixture('two-adults-with-names', { unitItems }));
  expect([booking.pax, booking.guests.length]).toEqual([1 + pax, 1 + pax]);
  expect(booking.status).toBe('CONFIRMED');
});

test('every status of the map is tested', () => {
  expect(Object.keys(plugin.statusMap ?? {})).toHaveLength(9);
});

describe('a cancelled booking is read', () => {
  const cancelled = (changes: object) =>
    read(fixture('two-adults-with-names', { status: 'CANCELLED', ...changes }));

  test('with its guests and its pax, although its unit items are cancelled too', async () => {
    const { unitItems } = Object(fixture('two-adults-with-names'));
    const { booking } = await cancelled({
      unitItems: unitItems.map((item: object) => ({ ...item, status: 'CANCELLED' })),
    });
    expect(booking).toMatchObject({ statusGroup: 'cancelled', pax: 2 });
    expect(booking.guests.map(({ name }) => name)).toEqual(['Ailsa Sinclair', 'Rory Munro']);
  });

  test('if all of its unit items were cancelled one by one', async () => {
    const [first, second] = Object(fixture('two-adults-with-names')).unitItems;
    const unitItems = [
      { ...first, status: 'CANCELLED' },
      { ...second, status: 'EXPIRED' },
    ];
    for (const availability of [Object(fixture('two-adults-with-names')).availability, null]) {
      const { booking } = await read(
        fixture('two-adults-with-names', { status: 'CONFIRMED', unitItems, availability }),
      );
      expect(booking).toMatchObject({ status: 'CANCELLED', statusGroup: 'cancelled', pax: 2 });
      expect(booking.guests).toHaveLength(2);
    }
  });

  test.each([[null], [undefined], [[]]])('without unit items (%j)', async (unitItems) => {
    expect((await cancelled({ unitItems })).booking).toMatchObject({ pax: 0, guests: [] });
  });

  test('without a session if it has none, or if its time is invalid', async () => {
    for (const availability of [null, { localDateTimeStart: 'soon' }]) {
      expect((await cancelled({ availability })).booking).toMatchObject({ pax: 2, bookedSessions: [] });
    }
  });
});

test('the error contains the system’s message', async () => {
  const saying = (error: string) => {
    nock('https://octo.example')
      .get(`/bookings/${bookingId}`)
      .reply(400, { error, errorMessage: 'The unit is unknown' });
    return connected().read(bookingId);
  };
  for (const error of ['UNAUTHORIZED', 'INVALID_BOOKING_UUID', 'INTERNAL_SERVER_ERROR', 'BAD_REQUEST']) {
    await expect(saying(error)).rejects.toThrow(`saying "${error}: The unit is unknown"`);
  }
});

test('an invalid pax count is refused, one given as text is converted', async () => {
  const withPax = (paxCount: unknown) =>
    fixture('family-of-four', { unitItems: [{ uuid: 'u', unit: { restrictions: { paxCount } } }] });
  expect((await read(withPax('4'))).booking.pax).toBe(4);
  await expect(read(withPax(-1))).rejects.toThrow('paxCount');
});

test('notes do not contain the lines of waivers', async () => {
  const notes = '[waiver w1] updated 2027-06-11 · name: Tiago Reis [end]\nArrives by bus';
  expect((await read(fixture('two-adults-with-names', { notes }))).booking.notes).toBe('Arrives by bus');
});

test('an id that cannot be part of a URL is refused before any request', async () => {
  for (const id of ['', '.', '..', '\ud800']) {
    await expect(connected().read(id)).rejects.toMatchObject({ code: 'booking_not_found' });
    await expect(connected().push({ bookingId: id })).rejects.toMatchObject({
      code: 'waiver_rejected',
      retry: 'never',
    });
  }
});

test('the settings become headers, and invalid header values are refused', () => {
  const headersOf = (settings: object) =>
    plugin.headers({
      settings: plugin.settingsSchema.parse(settings),
      account: { accountId: 'a', apiKey: 'k', changesUnitItems: false },
      purpose: 'read',
    });
  expect(headersOf({})).toEqual({ Authorization: 'Bearer k', 'Octo-Capabilities': '' });
  expect(headersOf({ capabilities: ['octo/pricing', 'octo/waivers'], waivers: true, env: 'live' })).toEqual({
    Authorization: 'Bearer k',
    'Octo-Capabilities': 'octo/pricing, octo/waivers',
    'Octo-Env': 'live',
  });
  const ofInstallation = plugin.headers({
    settings: plugin.settingsSchema.parse({ env: 'test' }),
    account: { accountId: 'a', apiKey: 'k', changesUnitItems: false },
    purpose: 'read',
    environment: 'live',
  });
  expect(ofInstallation).toMatchObject({ 'Octo-Env': 'live' });
  for (const settings of [
    { capabilities: ['a\r\nb'] },
    { capabilities: Array(51).fill('a') },
    { env: 'dev' },
  ]) {
    expect(plugin.settingsSchema.safeParse(settings).success).toBe(false);
  }
});

test('a webhook without a booking names none, and any other body is refused', () => {
  const parse = (body: unknown) => noticeOf(plugin, { body });
  for (const body of [{}, { booking: {} }, { webhook: { event: 'availability_update' } }, { order: {} }]) {
    expect(parse(body)).toEqual({ bookingIds: [] });
  }
  for (const body of [null, 'x', []]) expect(() => parse(body)).toThrow('not a call of octo/webhooks');
});
