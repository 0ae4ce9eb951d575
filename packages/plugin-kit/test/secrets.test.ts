import {
  type Booking,
  type FetchedBooking,
  InvalidBookingResponse,
  type PushedWaiver,
  type Waiver,
} from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { afterAll, describe, expect, test } from 'vitest';
import { createBookingSystemContext, defineBookingSystem } from '../src/index.ts';

const outbound = createOutbound({ allow: [], timeoutMs: 1000 });
afterAll(() => outbound.close());

const apiKey = 'a-key-of-24-characters-1';
const booking: Booking = {
  id: 'b',
  status: 'OK',
  contact: { name: 'Ada' },
  pax: 1,
  guests: [],
  bookedSessions: [{ startsAt: '2027-06-12T07:30:00Z' }],
};
const waiver: Waiver = {
  id: 'w',
  pool: 'p',
  bookingId: 'b',
  lastVisit: '2027-06-12T07:30:00.000Z',
  deleted: false,
  updatedAt: '2027-06-11T18:00:00.123Z',
};

function vendorThat(does: { fetch?: () => Promise<FetchedBooking>; push?: () => Promise<PushedWaiver> }) {
  const plugin = defineBookingSystem({
    installName: 'vendor',
    displayName: 'Vendor',
    capabilities: { takes: ['notes'], void: true },
    headers: ({ account }) => ({ 'api-key': account.apiKey }),
    fetchBooking: () => does.fetch?.() ?? Promise.reject(new Error('no read')),
    pushWaiver: () => does.push?.() ?? Promise.reject(new Error('no write')),
  });
  const contextOf = (key: string) =>
    createBookingSystemContext({
      plugin,
      outbound,
      baseUrl: 'https://vendor.example',
      pool: 'p',
      settings: {},
      account: { accountId: 1, apiKey: key },
      purpose: 'read',
      signal: new AbortController().signal,
    });
  return {
    fetch: (key = apiKey) => plugin.fetchBooking(contextOf(key), 'b'),
    push: async () => plugin.pushWaiver?.(contextOf(apiKey), waiver),
  };
}
const fetched = (changes: Partial<FetchedBooking>): FetchedBooking => ({
  form: 'native',
  booking,
  warnings: [],
  ...changes,
});

describe('a vendor that repeats the account’s key', () => {
  test('in the name or value of a field: redacted in the error', async () => {
    const repeated = new InvalidBookingResponse(`not for ${apiKey}`, [
      { path: `debug.${apiKey}`, message: `is ${apiKey} where a text must be` },
    ]);
    for (const call of [
      () => vendorThat({ fetch: () => Promise.reject(repeated) }).fetch(),
      () => vendorThat({ push: () => Promise.reject(repeated) }).push(),
    ]) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toBe(repeated);
      expect(error).toMatchObject({
        message: expect.stringMatching(/^not for «redacted»: debug\.«redacted» is «redacted»/),
        issues: [{ path: 'debug.«redacted»', message: 'is «redacted» where a text must be' }],
        stack: expect.not.stringContaining(apiKey),
      });
    }
  });

  test('in a warning: redacted', async () => {
    const warnings = [
      { code: 'value_ignored', path: `debug.${apiKey}`, message: `${apiKey} was ignored` },
      { code: 'count_disagrees', message: 'fine' },
    ] as const;
    const redacted = [
      { code: 'value_ignored', path: 'debug.«redacted»', message: '«redacted» was ignored' },
      { code: 'count_disagrees', message: 'fine' },
    ];
    const vendor = vendorThat({
      fetch: () => Promise.resolve(fetched({ warnings })),
      push: () => Promise.resolve({ accepted: true, warnings }),
    });
    expect((await vendor.fetch()).warnings).toStrictEqual(redacted);
    expect((await vendor.push())?.warnings).toStrictEqual(redacted);
  });

  test('anywhere in the booking: redacted', async () => {
    const echoes = {
      ...booking,
      notes: `key ${apiKey}`,
      lists: [[apiKey], 'fine', { deep: { deeper: [null, `${apiKey}!`] } }],
      count: 7,
    };
    const vendor = vendorThat({ fetch: () => Promise.resolve(fetched({ booking: echoes })) });
    expect((await vendor.fetch()).booking).toEqual({
      ...booking,
      notes: 'key «redacted»',
      lists: [['«redacted»'], 'fine', { deep: { deeper: [null, '«redacted»!'] } }],
      count: 7,
    });
  });

  test('in the name of a field of the booking: redacted', async () => {
    const echoes = { ...booking, debug: { [`x-${apiKey}`]: { sent: apiKey } } };
    const vendor = vendorThat({ fetch: () => Promise.resolve(fetched({ booking: echoes })) });
    expect((await vendor.fetch()).booking.debug).toEqual({ 'x-«redacted»': { sent: '«redacted»' } });
  });

  test('a key of 16 characters is redacted, a shorter one may be a word of the booking', async () => {
    for (const [key, shown] of [
      ['k'.repeat(16), '«redacted»'],
      ['k'.repeat(15), 'k'.repeat(15)],
    ] as const) {
      const vendor = vendorThat({
        fetch: () => Promise.resolve(fetched({ booking: { ...booking, code: key } })),
      });
      expect((await vendor.fetch(key)).booking.code).toBe(shown);
    }
  });
});

test('an unexpected error stays the error that it is, with its stack and its causes, redacted', async () => {
  const cause = new SyntaxError(`unexpected token in "${apiKey}"`);
  const bug = new TypeError(`cannot read ${apiKey}`, { cause });
  await expect(vendorThat({ fetch: () => Promise.reject(bug) }).fetch()).rejects.toBe(bug);
  expect(bug.message).toBe('cannot read «redacted»');
  expect(bug.stack).toMatch(/^TypeError: cannot read «redacted»\n +at .*secrets\.test/);
  expect(cause.message).toBe('unexpected token in "«redacted»"');
  const frozen = Object.freeze(new Error('nothing to redact'));
  await expect(vendorThat({ fetch: () => Promise.reject(frozen) }).fetch()).rejects.toBe(frozen);
});
