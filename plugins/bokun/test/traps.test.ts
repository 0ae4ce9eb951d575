import { createHmac } from 'node:crypto';
import { noticeOf } from '@waiver-service/contract-suite';
import type { JsonObject } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import { inboundAuthenticity } from '../src/inbound.ts';
import bokun from '../src/index.ts';
import { readBooking } from '../src/read.ts';
import type { Settings } from '../src/settings.ts';
import { fixture } from './fixtures.ts';
import { timeZone } from './scenarios.ts';

const id = 'ICE-105400200';
const read = (body: JsonObject, zone = timeZone) => readBooking(body, id, zone);
const base = fixture('two-named-guests');
const [hike] = [base.activityBookings].flat().map(Object);
const [birna, ari] = [hike.pricingCategoryBookings].flat().map(Object);
/** The booking with some fields of its only activity changed. */
const withActivity = (changes: object) => ({ ...base, activityBookings: [{ ...hike, ...changes }] });
/** The booking with some fields of its first guest changed. */
const withGuest = (changes: object) =>
  withActivity({ pricingCategoryBookings: [{ ...birna, ...changes }, ari] });
const warningsOf = (body: JsonObject) => read(body).warnings.map(({ code, path }) => `${code} ${path}`);
const sessionOf = (body: JsonObject, zone?: string) => read(body, zone).booking.bookedSessions[0];
const guestOf = (body: JsonObject) => read(body).booking.guests[0];

describe('the start of a session', () => {
  test.each([
    ['Pacific/Auckland', '2027-06-11T21:00:00Z'],
    ['America/Los_Angeles', '2027-06-12T16:00:00Z'],
    ['Atlantic/Reykjavik', '2027-06-12T09:00:00Z'],
  ])('is the vendor’s local time, in %s', (zone, startsAt) => {
    expect(sessionOf(base, zone)?.startsAt).toBe(startsAt);
  });

  test('is on the day that midnight UTC names, also far from UTC', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { startsAt } = sessionOf(withActivity({ startTime: '12:00' }), zone) ?? {};
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
      expect(day.format(Date.parse(String(startsAt)))).toBe('2027-06-12');
    }
  });

  test('is on the day on which another moment falls in the time zone', () => {
    const midnightThere = Date.parse('2027-06-12T00:00:00+13:00');
    expect(sessionOf(withActivity({ date: midnightThere }), 'Pacific/Tongatapu')?.startsAt).toBe(
      '2027-06-11T20:00:00Z',
    );
  });

  test('may lack a leading zero', () => {
    expect(sessionOf(withActivity({ startTime: '9:00' }))?.startsAt).toBe('2027-06-12T11:30:00Z');
  });

  test('on the night when clocks go forward moves with them', () => {
    const gap = withActivity({ date: Date.UTC(2027, 2, 28), startTime: '02:30' });
    expect(sessionOf(gap, 'Europe/Oslo')?.startsAt).toBe('2027-03-28T01:30:00Z');
  });

  test('that is no time is refused with its path', () => {
    for (const startTime of ['morning', '25:00', '9']) {
      expect(() => read(withActivity({ startTime })), startTime).toThrow('activityBookings[0].startTime');
    }
    for (const date of ['2027-06-12', true, {}, Number.MAX_VALUE]) {
      expect(() => read(withActivity({ date }))).toThrow('activityBookings[0].date');
    }
  });

  test('the times that Bókun gives besides are not read: whether they are UTC is not documented', () => {
    const shifted = withActivity({
      startDateTime: hike.startDateTime + 3_600_000,
      endDateTime: hike.endDateTime + 3_600_000,
    });
    expect(read(shifted).booking).toEqual(read(base).booking);
  });

  test('in the time zone of the product is a warning, unless it is the same moment or UTC', () => {
    const warned = (own: unknown) =>
      warningsOf(withActivity({ activity: { ...hike.activity, timeZone: own } })).includes(
        'value_ignored activityBookings[0].activity.timeZone',
      );
    expect(warned('Europe/Oslo')).toBe(true);
    for (const own of ['UTC', timeZone, 'Canada/Newfoundland', 'nowhere', null, undefined]) {
      expect(warned(own), String(own)).toBe(false);
    }
  });
});

describe('the end of a session', () => {
  test('is the start and the difference of Bókun’s two times, over midnight too', () => {
    const overnight = withActivity({ startTime: '22:00', endDateTime: hike.startDateTime + 5 * 3_600_000 });
    expect(sessionOf(overnight)).toMatchObject({
      startsAt: '2027-06-13T00:30:00Z',
      endsAt: '2027-06-13T05:30:00Z',
    });
  });

  test('is never made up', () => {
    for (const changes of [
      { endDateTime: null },
      { startDateTime: null },
      { endDateTime: String(hike.endDateTime) },
      { endDateTime: hike.startDateTime - 1 },
      { endDateTime: Number.POSITIVE_INFINITY },
      { startDateTime: -8.64e15, endDateTime: 8.64e15 },
    ]) {
      expect(sessionOf(withActivity(changes))).not.toHaveProperty('endsAt');
      expect(warningsOf(withActivity(changes))).toContain('session_incomplete activityBookings[0]');
    }
  });
});

describe('an activity', () => {
  test('is named after its product, without the rate; else after the booked title', () => {
    const nameOf = (changes: object) => sessionOf(withActivity(changes))?.activityName;
    expect(nameOf({ activity: null, product: { title: 'Listed' } })).toBe('Listed');
    expect(nameOf({ activity: null, product: null })).toBe('Glacier hike (Standard)');
    expect(nameOf({ product: { title: 'Listed' } })).toBe('Glacier hike');
  });

  test('has the id of its product, wherever it is', () => {
    const idOf = (changes: object) => sessionOf(withActivity({ productId: null, ...changes }))?.activityId;
    expect(idOf({ activity: { id: 7 } })).toBe('7');
    expect(idOf({ activity: null, product: { id: 8 } })).toBe('8');
  });

  test('that was left out is a warning with its path', () => {
    expect(warningsOf(fixture('one-activity-cancelled'))).toContain('item_skipped activityBookings[0]');
    expect(warningsOf(fixture('pass-beside-an-activity'))).toContain('item_skipped activityBookings[1]');
    expect(warningsOf(fixture('transport-beside-an-activity'))).toContain('item_skipped routeBookings');
    const undated = { ...base, activityBookings: [hike, { ...hike, bookingId: 2, date: null }] };
    expect(warningsOf(undated)).toContain('item_skipped activityBookings[1]');
    expect(read(undated).booking).toMatchObject({ pax: 2, guests: [{}, {}] });
  });

  test('that is none makes the booking one without a session', () => {
    for (const name of ['only-a-pass', 'only-transport']) {
      expect(() => read(fixture(name))).toThrow('give it a date in Bókun');
    }
    expect(() => read({ ...base, activityBookings: null })).toThrow('give it a date in Bókun');
  });
});

describe('a combo', () => {
  const parts = fixture('combo').activityBookings;
  const [combo, part] = [parts].flat().map(Object);

  test('has the guests once, and a session for itself and each part', () => {
    const { booking } = read(fixture('combo'));
    expect(booking).toMatchObject({ pax: 2, guests: [{ id: '354000301' }, { id: '354000302' }] });
    expect(booking.bookedSessions).toHaveLength(2);
  });

  test('that is booked elsewhere leaves the guests to its part', () => {
    const { booking } = read({ ...base, activityBookings: [part] });
    expect(booking).toMatchObject({ pax: 2, guests: [{ id: '354000303' }, { id: '354000304' }] });
  });

  test('may name its parts by the other field', () => {
    const body = {
      ...base,
      activityBookings: [combo, { ...part, comboParentBooking: { id: combo.bookingId } }],
    };
    expect(read(body).booking.pax).toBe(2);
  });
});

describe('the status', () => {
  test('is that of the activities if all were cancelled one by one', () => {
    const both = [
      { ...hike, status: 'CANCELLED' },
      { ...hike, status: 'REJECTED' },
    ];
    expect(read({ ...base, activityBookings: both }).booking).toMatchObject({
      status: 'CANCELLED',
      statusGroup: 'cancelled',
      pax: 4,
    });
    expect(read({ ...base, status: 'TIMEOUT', activityBookings: both }).booking.status).toBe('TIMEOUT');
  });

  test('of an activity that is unknown is a warning, and its people are expected', () => {
    const { booking, warnings } = read(withActivity({ status: 'AMENDED' }));
    expect(booking.bookedSessions).toHaveLength(1);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'unknown_status', path: 'activityBookings[0].status' }),
    );
  });

  test.each(Object.entries(bokun.statusMap ?? {}))('%s is %s', (status, group) => {
    const { booking } = read({ ...withActivity({ status }), status });
    expect(booking).toMatchObject({ status, statusGroup: group });
  });

  test('that is not known is passed on, as other, with a warning', () => {
    expect(read({ ...base, status: 'AMENDED' })).toMatchObject({
      booking: { status: 'AMENDED', statusGroup: 'other' },
      warnings: [{ code: 'unknown_status', path: 'status' }],
    });
  });

  test('must be there, like the code', () => {
    expect(() => read({ ...base, status: null })).toThrow('status');
    expect(() => read({ ...base, confirmationCode: null })).toThrow('confirmationCode');
  });
});

describe('a cancelled booking', () => {
  test('is read whatever it has lost', () => {
    const gone = { ...base, status: 'CANCELLED' };
    for (const changes of [{ startTime: 'soon' }, { date: null }, { date: 'x' }, { startTime: null }]) {
      const [session] = read({ ...gone, activityBookings: [{ ...hike, ...changes }] }).booking.bookedSessions;
      expect(session?.endsAt).toBe(changes.startTime === null ? '2027-06-12T05:00:00Z' : undefined);
    }
    const { booking } = read({ ...gone, activityBookings: [{ ...hike, date: null }] });
    expect(booking).toMatchObject({ statusGroup: 'cancelled', pax: 2, guests: [{}, {}], bookedSessions: [] });
  });

  test('keeps an activity that was cancelled before', () => {
    const activities = [
      { ...hike, status: 'CANCELLED' },
      { ...hike, bookingId: 2 },
    ];
    expect(read({ ...base, status: 'CANCELLED', activityBookings: activities }).booking.pax).toBe(4);
  });
});

describe('a start at which clocks show the same time twice', () => {
  const at = (date: string, startTime: string) =>
    withActivity({ date: Date.parse(`${date}T00:00:00Z`), startTime });
  const inBerlin = (body: JsonObject) => read(body, 'Europe/Berlin');

  test('is the earlier one, with a warning', () => {
    const { booking, warnings } = inBerlin(at('2027-10-31', '02:30'));
    expect(booking.bookedSessions[0]?.startsAt).toBe('2027-10-31T00:30:00Z');
    expect(warnings).toContainEqual({
      code: 'date_time_rewritten',
      path: 'activityBookings[0].startTime',
      message: expect.stringContaining('show twice that day'),
    });
  });

  test.each([
    ['2027-10-31', '01:30'],
    ['2027-10-31', '03:00'],
    ['2027-10-30', '02:30'],
    ['2027-03-28', '02:30'],
  ])('%s %s is not one', (date, startTime) => {
    const codes = inBerlin(at(date, startTime)).warnings.map(({ code }) => code);
    expect(codes).not.toContain('date_time_rewritten');
  });
});

describe('people', () => {
  test('Bókun’s own count and that of its entries disagree: its own counts', () => {
    const paxOf = (changes: object) => read(withActivity(changes)).booking.pax;
    expect(paxOf({ totalParticipants: 3 })).toBe(3);
    expect(paxOf({ totalParticipants: 1 })).toBe(1);
    const group = { ...ari, pricingCategory: { occupancy: 8 } };
    expect(paxOf({ totalParticipants: 5, pricingCategoryBookings: [group] })).toBe(5);
    expect(paxOf({ totalParticipants: null })).toBe(2);
    expect(warningsOf(withActivity({ totalParticipants: 3 }))).toEqual([
      'count_disagrees activityBookings[0].totalParticipants',
    ]);
    expect(() => read(withActivity({ totalParticipants: -1 }))).toThrow('totalParticipants');
  });

  test('a category is a group, by itself or by the product, and is booked several times', () => {
    const paxOf = (entry: object) =>
      read(withActivity({ totalParticipants: null, pricingCategoryBookings: [{ ...ari, ...entry }] })).booking
        .pax;
    expect(paxOf({ quantity: 3 })).toBe(3);
    expect(paxOf({ pricingCategory: { occupancy: 4 }, quantity: 2 })).toBe(8);
    expect(paxOf({ pricingCategory: { occupancy: 4 }, occupancy: 5 })).toBe(5);
    expect(paxOf({ pricingCategory: null, quantity: null })).toBe(1);
    expect(() => paxOf({ quantity: 1.5 })).toThrow('pricingCategoryBookings[0].quantity');
    expect(() => paxOf({ occupancy: 'many' })).toThrow('pricingCategoryBookings[0].occupancy');
  });

  test('an activity without entries has Bókun’s count and no guests', () => {
    const { booking } = read(withActivity({ pricingCategoryBookings: null, totalParticipants: 2 }));
    expect(booking).toMatchObject({ pax: 2, guests: [] });
    expect(() => read(withActivity({ pricingCategoryBookings: {} }))).toThrow('pricingCategoryBookings');
  });
});

describe('a guest', () => {
  test('never shows passports, national ids and credentials', () => {
    const passengerInfo = {
      ...birna.passengerInfo,
      passportExpYear: '2030',
      credentials: { password: 'x' },
      uuid: 'u',
    };
    const text = JSON.stringify(guestOf(withGuest({ passengerInfo })));
    for (const hidden of ['A0000000', '0204880000', 'password', 'uuid', '2030', '4100030']) {
      expect(text).not.toContain(hidden);
    }
  });

  test('has the further details that Bókun knows, by its names', () => {
    const details = {
      title: 'Dr.',
      dateOfBirth: '1988-04-02',
      sex: 'f',
      nationality: 'IS',
      language: 'is',
      address: 'Laugavegur 1',
      postCode: '101',
      place: 'Reykjavík',
      state: 'Höfuðborg',
      country: 'IS',
      organization: 'Ice ehf',
    };
    expect(guestOf(withGuest({ passengerInfo: details }))).toMatchObject(details);
  });

  test('is of a type by the category, else by the vendor’s word for it', () => {
    const typeOf = (changes: object) => guestOf(withGuest(changes))?.participantType;
    expect(typeOf({ pricingCategory: { ticketCategory: 'CHILD', title: 'Kids' } })).toBe('child');
    expect(typeOf({ pricingCategory: { ticketCategory: 'TEENAGER', title: 'Teens' } })).toBe('Teens');
    expect(typeOf({ pricingCategory: null, bookedTitle: 'Seniors' })).toBe('Seniors');
    expect(typeOf({ pricingCategory: { ticketCategory: 'SENIOR' }, bookedTitle: null })).toBe('SENIOR');
    expect(typeOf({ pricingCategory: null, bookedTitle: null })).toBeUndefined();
  });

  test('has answers by question, else by type; none is its name, email or id', () => {
    const answers = [
      { question: 'name', answer: 'X' },
      { question: 'id', answer: '9' },
      { type: 'email', answer: 'x@example.com' },
      { question: 'Weight', type: 'w', answer: 71 },
      { question: 'Empty', answer: ' ' },
      { answer: 'nothing asked' },
    ];
    expect(guestOf(withGuest({ answers, bookingAnswers: [] }))).toMatchObject({
      id: '354000301',
      name: 'Birna Jónsdóttir',
      email: 'birna@example.com',
      Weight: '71',
    });
    expect(guestOf(withGuest({ answers }))).not.toHaveProperty('Empty');
  });

  test('is of no age and no lead unless Bókun says so', () => {
    const guest = guestOf(withGuest({ age: 0, leadPassenger: false }));
    expect(guest).not.toHaveProperty('age');
    expect(guest).not.toHaveProperty('leadPassenger');
  });

  test('without a name never gets the booker’s', () => {
    expect(guestOf(withGuest({ passengerInfo: null }))).not.toHaveProperty('name');
  });
});

describe('the account', () => {
  const account = { accountId: 4, apiKey: 'k', secretKey: 's', timeZone: 'Atlantic/Reykjavik' };

  test('needs a secret key and a time zone', () => {
    expect(bokun.accountSchema.safeParse(account).success).toBe(true);
    for (const changes of [
      { secretKey: '' },
      { secretKey: undefined },
      { secretKey: 'a'.repeat(5000) },
      { timeZone: undefined },
      { timeZone: 'Reykjavik' },
      { timeZone: `Etc/${'x'.repeat(64)}` },
    ]) {
      expect(bokun.accountSchema.safeParse({ ...account, ...changes }).success).toBe(false);
    }
  });

  test('is asked at Bókun’s address, and nothing is written there', () => {
    const access = { settings: {}, account: bokun.accountSchema.parse(account), purpose: 'read' as const };
    expect(bokun.url?.(access)).toBe('https://api.bokun.io');
    for (const [environment, address] of [
      ['live', 'https://api.bokun.io'],
      ['test', 'https://api.bokuntest.com'],
    ] as const) {
      expect(bokun.url?.({ ...access, environment })).toBe(address);
    }
    expect(bokun.headers(access)).toEqual({});
    expect(bokun.pushWaiver).toBeUndefined();
  });
});

describe('webhooks', () => {
  const parse = (headers: Record<string, string>, body: unknown = {}) =>
    noticeOf(bokun, { headers, body })?.bookingIds;
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test('the body of a signed call is not believed: the signature does not cover it', () => {
    const headers = { 'x-bokun-topic': 'bookings/update', 'x-bokun-booking-id': base64('Booking:77') };
    expect(parse(headers, { bookingId: base64('Booking:78'), confirmationCode: 'OTHER-1' })).toEqual(['77']);
    expect(parse({ 'x-bokun-topic': 'bookings/update' }, { confirmationCode: 'OTHER-1' })).toEqual([]);
  });

  test.each(['Experience:77', 'Booking:', 'Booking:7x', 'xBooking:7', 'Booking:7\n8', ''])(
    'the id %j is no booking’s',
    (text) => {
      expect(parse({ 'x-bokun-topic': 'bookings/update', 'x-bokun-booking-id': base64(text) })).toEqual([]);
    },
  );

  test('other topics name no booking, whatever else is in them', () => {
    for (const topic of ['apps/uninstall', 'experiences/update', 'bookings']) {
      const headers = { 'x-bokun-topic': topic, 'x-bokun-booking-id': base64('Booking:77') };
      expect(parse(headers, { confirmationCode: 'OTHER-1' })).toEqual([]);
    }
  });

  test('a notification without a topic names the booking in its body, by its code if it has one', () => {
    expect(parse({}, { confirmationCode: 'ICE-1', bookingId: 1 })).toEqual(['ICE-1']);
    expect(parse({ 'x-bokun-topic': ' ' }, { bookingId: 1 })).toEqual(['1']);
    expect(parse({}, { status: 'CONFIRMED' })).toEqual([]);
    for (const body of [undefined, null, 'booking', []]) {
      expect(() => noticeOf(bokun, { body })).toThrow('Bókun webhook');
    }
  });
});

describe('the signature of a webhook', () => {
  const appSecret = 'app-secret-1';
  // Sorted by name; of two names that begin alike, the shorter one first.
  const signedText = 'x-bokun-topic=bookings/update&x-bokun-topic-id=b&x-bokun-vendor-id=a';
  const headers = {
    'x-bokun-vendor-id': 'a',
    'x-bokun-topic-id': 'b',
    'x-bokun-topic': 'bookings/update',
    'user-agent': 'Bokun',
  };
  const signature = createHmac('sha256', appSecret).update(signedText).digest();
  const [hexadecimal, base64] = [signature.toString('hex'), signature.toString('base64')];
  const judge = (changes: Record<string, string | string[] | undefined>, settings: Settings) => {
    const url = new URL('https://waivers.example/webhook');
    const request = { method: 'POST', url, query: {}, rawBody: new Uint8Array(), now: new Date() };
    return inboundAuthenticity({
      ...request,
      headers: { ...headers, ...changes },
      settings,
      account: undefined,
    });
  };

  test('is in hexadecimal digits or in base64', () => {
    for (const value of [hexadecimal, base64]) {
      expect(judge({ 'x-bokun-hmac': value }, { appSecret })).toBe('authentic');
    }
    for (const value of ['', hexadecimal.slice(0, -1), hexadecimal.toUpperCase(), `${base64}=`]) {
      expect(judge({ 'x-bokun-hmac': value }, { appSecret })).toBe('forged');
    }
    expect(judge({ 'x-bokun-hmac': [hexadecimal] }, { appSecret })).toBe('forged');
    expect(judge({}, { appSecret })).toBe('forged');
  });

  test('covers all of Bókun’s headers, and no other', () => {
    const judgeSigned = (changes: Record<string, string | undefined>) =>
      judge({ 'x-bokun-hmac': hexadecimal, ...changes }, { appSecret });
    expect(judgeSigned({ 'user-agent': 'other', 'x-forwarded-for': '203.0.113.7' })).toBe('authentic');
    expect(judgeSigned({ 'x-bokun-booking-id': 'Qm9va2luZzo3Nw==' })).toBe('forged');
    expect(judgeSigned({ 'x-bokun-topic': 'bookings/create' })).toBe('forged');
  });

  test('does not count where it would be that of other headers, too', () => {
    // One header's value contains a second signed header.
    const url = new URL('https://waivers.example/webhook');
    const request = { method: 'POST', url, query: {}, rawBody: new Uint8Array(), now: new Date() };
    const joined = {
      'x-bokun-topic': 'bookings/update&x-bokun-topic-id=b',
      'x-bokun-vendor-id': 'a',
      'x-bokun-hmac': hexadecimal,
    };
    const settings = { appSecret };
    expect(inboundAuthenticity({ ...request, headers: joined, settings, account: undefined })).toBe('forged');
  });

  test('of a notification of a booking channel does not exist: with an app’s secret it is refused', () => {
    expect(judge({ 'x-bokun-topic': '' }, { appSecret })).toBe('forged');
    expect(judge({ 'x-bokun-topic': '' }, {})).toBe('authentic');
  });

  test('is not verified without the app’s secret', () => {
    expect(judge({ 'x-bokun-hmac': 'anything' }, {})).toBe('authentic');
  });
});
