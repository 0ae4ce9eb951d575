import { noticeOf } from '@waiver-service/contract-suite';
import { Reading } from '@waiver-service/plugin-kit';
import { describe, expect, test } from 'vitest';
import { readXmlCall } from '../src/inbound.ts';
import checkfront from '../src/index.ts';
import { countOf, isAddOn, readDetail, readIndexCode, readPeople, readWebhook } from '../src/read/people.ts';
import { readBooking } from '../src/read.ts';
import { daysOfNotes } from '../src/write.ts';
import { fixture, xmlFixture } from './fixtures.ts';
import { bookingId, detail } from './scenarios.ts';

const inbound = (body: unknown) => noticeOf(checkfront, { body });
const account = { accountId: 1, apiKey: 'key', apiSecret: 'secret' };

describe('the account', () => {
  test('has an address that settings cannot subvert', () => {
    const url = (host?: string) =>
      checkfront.url?.({
        settings: {},
        account: checkfront.accountSchema.parse({ ...account, host }),
        purpose: 'read',
      });
    expect(url('lakeside')).toBe('https://lakeside.checkfront.com/api/3.0');
    expect(url()).toBeUndefined();
    for (const host of ['a.b', 'a/b', 'evil.example#', 'A', '', 'a@b', 'a'.repeat(64)]) {
      expect(checkfront.accountSchema.safeParse({ ...account, host }).success, host).toBe(false);
    }
  });

  test('requires both key and secret', () => {
    const problems = (changes: object) =>
      checkfront.accountSchema.safeParse({ ...account, ...changes }).error?.issues.map(({ path }) => path[0]);
    expect(problems({ apiSecret: undefined })).toEqual(['apiSecret']);
    expect(problems({ apiKey: 'a:b' })).toEqual(['apiKey']);
  });
});

describe('the three shapes', () => {
  test('are never confused', () => {
    for (const [name, shapes] of [
      ['detail', [true, false, false]],
      ['webhook', [false, true, false]],
      ['index', [false, false, true]],
    ] as const) {
      const body = fixture(name);
      const found = [readDetail(body), readWebhook(body), readIndexCode(body, '5120')];
      expect(
        found.map((one) => one !== undefined),
        name,
      ).toEqual(shapes);
    }
    for (const body of [undefined, null, [], 'x', {}, { booking: [] }, { 'booking/index': [] }]) {
      expect([readDetail(body), readWebhook(body), readIndexCode(body, '5120')]).toEqual(
        Array(3).fill(undefined),
      );
    }
  });

  test('items may be a list, and the index never yields another booking', () => {
    const { booking } = fixture('detail');
    const { items } = Object(booking);
    const found = readDetail({ booking: { ...Object(booking), items: Object.values(items) } });
    expect(found && readBooking(found, bookingId).booking).toEqual(detail);
    expect(readIndexCode(fixture('index'), '5119')).toBe('LKSD-130627');
    expect(readIndexCode(fixture('index'), '512')).toBeUndefined();
    expect(readIndexCode(fixture('index'), 'toString')).toBeUndefined();
  });
});

describe('statuses', () => {
  test('one that the account has defined is a warning, once', () => {
    const found = readDetail(fixture('detail'));
    const warnedOf = (status: string, lineStatus: unknown) => {
      const lines = found?.lines.map((line) => ({ ...line, status: lineStatus })) ?? [];
      const read = found && readBooking({ ...found, status, lines }, bookingId);
      return read?.warnings.filter(({ code }) => code === 'unknown_status').map(({ path }) => path);
    };
    expect(warnedOf('PAID', undefined)).toEqual([]);
    expect(warnedOf('OURS', 'OURS')).toEqual(['status']);
    expect(warnedOf('PAID', 'OURS')).toEqual(found?.lines.map(({ path }) => `${path}.status`));
  });

  test.each([
    ['PAID', 'active'],
    ['PART', 'active'],
    ['PEND', 'other'],
    ['HOLD', 'other'],
    ['WAIT', 'other'],
    ['STOP', 'cancelled'],
    ['VOID', 'cancelled'],
    ['OURS', 'other'],
  ])('%s is %s', (status, statusGroup) => {
    const found = readDetail(fixture('detail'));
    expect(found && readBooking({ ...found, status }, bookingId).booking).toMatchObject({
      status,
      statusGroup,
    });
  });
});

test.each([
  ['3', 3],
  [' 12 ', 12],
  [0, 0],
  ['999999999999', 999_999_999_999],
  ['1000000000000', undefined],
  ['a1', undefined],
  ['1a', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('%j is the count %s', (value, count) => {
  expect(countOf(value)).toBe(count);
});

test.each([
  ['2.1', true],
  ['2', false],
  [undefined, false],
])('the line %s is an add-on: %s', (lineId, isOne) => {
  expect(isAddOn({ path: 'booking.items.1', value: {}, lineId, status: undefined })).toBe(isOne);
});

describe('counting people', () => {
  const people = (param: unknown, qty: unknown, guestParameters?: string[], lineId = '1') => {
    const reading = new Reading();
    const line = { path: 'items.1', value: { param, qty }, lineId, status: 'PAID' };
    const { count } = readPeople(reading, line, guestParameters);
    return [count, reading.warnings.map(({ code }) => code)];
  };

  // Words of the list, and those that it must not miss for their endings.
  test.each([
    'adult',
    'babies',
    'people',
    'traveller',
    'Adults',
    'adults18',
    'child_512',
    'adults',
    'kids',
    'guests',
    'riders',
  ])('a parameter %s counts people', (id) => {
    expect(people({ [id]: { qty: '3' } }, 1)).toEqual([3, []]);
    expect(people({ x: { lbl: `${id} (x0)`.replace('x', ''), qty: 2 }, boats: 0 }, 1)).toEqual([2, []]);
  });

  test.each([
    'boats',
    'qty',
    'rooms',
    'guesttowels',
    'familyticket',
    'hours',
    'inventorycontro',
    'kidsbikes',
  ])('a parameter %s counts things: the qty is used, with a warning', (id) => {
    expect(people({ [id]: { qty: '3' } }, '2')).toEqual([2, ['count_disagrees']]);
    expect(people({ [id]: 3 }, undefined)).toEqual([1, ['count_disagrees']]);
  });

  test('the account’s guestParameters take precedence', () => {
    expect(people({ adults: 2, familyticket: 4, boats: 1 }, 1, ['familyticket', 'crew'])).toEqual([4, []]);
    expect(people({ adults: 2 }, 1, ['crew'])).toEqual([1, ['count_disagrees']]);
    const found = readDetail(fixture('detail'));
    expect(found && readBooking(found, bookingId, ['guests']).booking).toMatchObject({ pax: 1 + 3 });
  });

  test('other parameters are named in a warning, unless the account has guestParameters', () => {
    expect(people({ adults: 2, scouts: { lbl: 'Scouts', qty: 12 }, boats: 0 }, 1)).toEqual([
      2,
      ['count_disagrees'],
    ]);
    expect(people({ adults: 2, scouts: 12 }, 1, ['adults', 'scouts'])).toEqual([14, []]);
    expect(people({ adults: 2, boats: 12 }, 1, ['adults'])).toEqual([2, []]);
  });

  test('zero people stay zero, and an add-on does not count its qty', () => {
    expect(people({ adults: 0, children: { qty: 0 } }, 1)).toEqual([0, []]);
    expect(people({ units: 4 }, 4, undefined, '1.1')).toEqual([0, []]);
    expect(people({ adults: 1 }, 4, undefined, '1.1')).toEqual([1, []]);
  });

  test('the number of guestParameters is limited', () => {
    const parse = (guestParameters: unknown) =>
      checkfront.accountSchema.safeParse({ ...account, guestParameters }).success;
    expect(parse(['adults', 'children'])).toBe(true);
    for (const wrong of ['adults', [], [''], [7], Array(51).fill('a'), ['a'.repeat(101)]]) {
      expect(parse(wrong), JSON.stringify(wrong).slice(0, 40)).toBe(false);
    }
  });
});

describe('times', () => {
  test.each([0, '', null, -5, 1.5, 20270614, '20270614', 315532799, 7258118400, 1e18, 'soon'])(
    '%s is no time',
    (start_date) => {
      const { booking } = fixture('detail');
      const items = { 1: { sku: 's', name: 'n', start_date, end_date: 1812970800, qty: 1 } };
      const found = readDetail({ booking: { ...Object(booking), items } });
      expect(() => found && readBooking(found, bookingId)).toThrow('has a time');
    },
  );

  test.each([
    [315532800, '1980-01-01T00:00:00Z'],
    ['7258118399', '2199-12-31T23:59:59Z'],
  ])('%s is one', (start_date, startsAt) => {
    const { booking } = fixture('detail');
    const found = readDetail({ booking: { ...Object(booking), items: { 1: { start_date } } } });
    expect(found && readBooking(found, bookingId).booking.bookedSessions).toEqual([{ startsAt }]);
  });
});

describe('where only the booking has times', () => {
  const hat = { sku: 'hat', name: 'Hat', qty: 2 };
  const tour = (param?: object) => ({ sku: 'tour', name: 'Tour', qty: 2, param });
  function readOf(items: readonly object[], guestParameters?: readonly string[]) {
    const { booking } = fixture('detail-times-of-the-booking');
    const byLine = Object.fromEntries(items.map((item, place) => [place + 1, item]));
    const found = readDetail({ booking: { ...Object(booking), items: byLine } });
    if (found === undefined) throw new Error('not a booking');
    const read = readBooking(found, bookingId, guestParameters);
    const skipped = read.warnings.filter(({ code }) => code === 'item_skipped').map(({ path }) => path);
    const activities = read.booking.bookedSessions.map(({ activityId }) => activityId);
    return { pax: read.booking.pax, activities, skipped };
  }
  const tourAlone = { pax: 2, activities: ['tour'], skipped: ['booking.items.2'] };

  test('they are those of the items with people: a hat is no session, and its quantity no people', () => {
    expect(readOf([tour({ adults: { qty: 2 } }), hat])).toEqual(tourAlone);
    expect(readOf([tour({ adults: 2 }), { ...hat, param: { adults: 0, boats: 3 } }])).toEqual(tourAlone);
    expect(readOf([tour({ crew: 2 }), { ...hat, param: { adults: 2 } }], ['crew'])).toEqual(tourAlone);
  });

  test('they are those of every item where none says how many people it has, and the quantities count', () => {
    const both = { pax: 4, activities: ['tour', 'hat'], skipped: [] };
    expect(readOf([tour(), hat])).toEqual(both);
    expect(readOf([tour({ boats: 1 }), hat])).toEqual(both);
    expect(readOf([{ ...tour({ adults: 0 }) }])).toEqual({ pax: 0, activities: ['tour'], skipped: [] });
  });
});

describe('the days whose notes are listed', () => {
  const days = (updatedAt: string, now: string) =>
    daysOfNotes(
      { id: 'w', pool: 'p', bookingId, lastVisit: updatedAt, deleted: false, updatedAt },
      new Date(now),
    );
  test.each([
    ['2027-06-11T00:00:00.000Z', '2027-06-11T23:59:59Z', ['2027-06-12', '2027-06-11', '2027-06-10']],
    ['2027-02-28T23:59:59.000Z', '2027-02-28T23:59:59Z', ['2027-03-01', '2027-02-28', '2027-02-27']],
    ['2027-06-11T08:00:00.000Z', '2027-06-10T08:00:00Z', ['2027-06-12', '2027-06-11', '2027-06-10']],
    ['2027-06-11T08:00:00.000Z', '2027-06-14T08:00:00Z', [undefined]],
  ])('updated %s, sent %s', (updatedAt, now, expected) => {
    expect(days(updatedAt, now)).toEqual(expected);
  });

  test('five days at most', () => {
    expect(days('2027-06-11T08:00:00.000Z', '2027-06-13T08:00:00Z')).toHaveLength(5);
  });
});

describe('calls of Checkfront', () => {
  test('one without a booking is accepted and has no effect', () => {
    for (const body of [
      {},
      { '@attributes': { host: 'x' }, item: {} },
      { type: 'item', item: { id: 7 } },
      { type: 'transaction', transaction: { amount: '1' } },
      { type: 'x', 'item[sku]': 'kayakam' },
      '<checkfront-notify/>',
    ]) {
      expect(inbound(body), JSON.stringify(body)).toEqual({ bookingIds: [] });
    }
  });

  test('any other body is refused', () => {
    for (const body of [
      undefined,
      null,
      '',
      7,
      '<booking/>',
      '<html><body>hello</body></html>',
      '<checkfront-notify><booking></checkfront-notify>',
      'booking[code]=X',
      [],
      { booking: {} },
      { type: 'x', booking: {} },
      { 'booking[status]': 'PAID' },
    ]) {
      expect(() => inbound(body), JSON.stringify(body)).toThrow();
    }
  });

  test('XML yields the same as JSON', () => {
    const found = readWebhook(readXmlCall(xmlFixture('webhook')));
    const json = readWebhook(fixture('webhook'));
    const bookingOf = (one: typeof found) => one && readBooking(one, bookingId).booking;
    expect(bookingOf(found)).toEqual({
      ...bookingOf(json),
      contact: { ...bookingOf(json)?.contact, name: 'Noor & Sami Haddad' },
      fields: { request: 'A blue one, please.' },
    });
  });

  test('XML cannot use entities or files, and its depth is limited', () => {
    const withDoctype = (dtd: string, code: string) =>
      `<?xml version="1.0"?><!DOCTYPE x [${dtd}]><checkfront-notify><booking><code>${code}</code></booking></checkfront-notify>`;
    expect(() => inbound(withDoctype('<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">', '&b;'))).toThrow();
    expect(() => inbound(withDoctype('<!ENTITY f SYSTEM "file:///etc/hostname">', '&f;'))).toThrow();
    const nested = (depth: number) =>
      `<checkfront-notify>${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}</checkfront-notify>`;
    expect(inbound(nested(20))).toEqual({ bookingIds: [] });
    expect(() => inbound(nested(21))).toThrow('nested');
    expect(() => inbound(nested(100_000))).toThrow();
  });

  test('the size of XML is limited, the number of elements is not', () => {
    const sized = (characters: number) => {
      const rest = '<checkfront-notify><i></i></checkfront-notify>'.length;
      return `<checkfront-notify><i>${'x'.repeat(characters - rest)}</i></checkfront-notify>`;
    };
    expect(inbound(sized(1_048_576))).toEqual({ bookingIds: [] });
    expect(() => inbound(sized(1_048_577))).toThrow('1048576 characters');
    expect(inbound(`<checkfront-notify>${'<a/>'.repeat(200_000)}</checkfront-notify>`)).toEqual({
      bookingIds: [],
    });
  });
});
