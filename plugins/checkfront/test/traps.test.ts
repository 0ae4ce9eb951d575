import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import checkfront from '../src/index.ts';
import { readDetail } from '../src/native/detail/detail.ts';
import { readIndexCode } from '../src/native/index/index-entry.ts';
import { readBooking } from '../src/native/read-booking.ts';
import { readWebhook } from '../src/native/webhook/webhook.ts';
import { fixture } from './fixture.ts';
import { bookingId, detail } from './scenarios.ts';

const inbound = (body: unknown) => checkfront.parseInbound?.({ headers: {}, query: {}, body });
const account = { accountId: 1, apiKey: 'key', apiSecret: 'secret' };

describe('the account', () => {
  test('says where its address is, and nothing else can get into it', () => {
    const url = (host?: string) =>
      checkfront.defaultBaseUrl?.({
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

  test('has both halves of its key', () => {
    const problems = (changes: object) =>
      checkfront.accountSchema.safeParse({ ...account, ...changes }).error?.issues.map(({ path }) => path[0]);
    expect(problems({ apiSecret: undefined })).toEqual(['apiSecret']);
    expect(problems({ apiKey: 'a:b' })).toEqual(['apiKey']);
  });
});

describe('the three shapes', () => {
  test('none is taken for another', () => {
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

  test('items may be a list, and the list never gives another booking', () => {
    const { booking } = fixture('detail');
    const { items } = Object(booking);
    const found = readDetail({ booking: { ...Object(booking), items: Object.values(items) } });
    expect(found && readBooking(found, bookingId).booking).toEqual(detail);
    expect(readIndexCode(fixture('index'), '5119')).toBe('LKSD-130627');
    expect(readIndexCode(fixture('index'), '512')).toBeUndefined();
    expect(readIndexCode(fixture('index'), 'toString')).toBeUndefined();
  });

  test('whatever stands where a field of an item should be, it is read or refused in words', () => {
    const { booking } = fixture('detail');
    const fields = ['start_date', 'end_date', 'qty', 'param', 'sku', 'name'];
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 3 }), (field, value) => {
        const item = {
          sku: 's',
          name: 'n',
          start_date: 1812958200,
          end_date: 1812970800,
          qty: 1,
          [field]: value,
        };
        const found = readDetail({ booking: { ...Object(booking), items: { 1: item } } });
        try {
          const read = found && readBooking(found, bookingId).booking;
          expect(read?.bookedSessions[0]?.startsAt).toMatch(/^\d{4}-.*Z$/);
          expect(Number.isSafeInteger(read?.pax)).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_booking_response' });
        }
      }),
    );
  });
});

describe('statuses', () => {
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

describe('calls of Checkfront', () => {
  test('one that names no booking is taken, and means nothing', () => {
    expect(inbound({ '@attributes': { host: 'x' }, item: {} })).toEqual({ bookingIds: [] });
    expect(inbound({ type: 'item', item: { id: 7 } })).toEqual({ bookingIds: [] });
  });

  test('what is no call of its own is refused', () => {
    for (const body of [
      undefined,
      null,
      '',
      '<booking/>',
      [],
      {},
      { booking: {} },
      { type: 'x', booking: {} },
    ]) {
      expect(() => inbound(body), JSON.stringify(body)).toThrow();
    }
  });
});
