import {
  type Booking,
  BookingNotFound,
  InvalidBookingResponse,
  manifestSchema,
  specificationVersion,
} from '@waiver-service/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { BookingSystemNotConfigured, defineBookingSystem, installedAccountSchema } from '../src/index.ts';
import { currentBody } from './bookings.ts';
import { pathPlugin, startBookingSystem } from './setup.ts';

const { server, setup } = await startBookingSystem();

// A vendor that overrides everything.
const vendor = defineBookingSystem({
  installName: 'vendor',
  displayName: 'Vendor',
  writeUnit: 'booking',
  settingsSchema: z.object({ appKey: z.string().min(1) }),
  accountSchema: installedAccountSchema.extend({ host: z.string().regex(/^[a-z0-9-]+$/) }),
  capabilities: { takes: [], void: false },
  url: ({ account }) => `https://${account.host}.vendor.example/api`,
  headers: ({ settings, account }) => ({ 'X-App': settings.appKey, 'X-User': account.apiKey }),
  async fetchBooking({ http }, bookingId) {
    const { data } = await http.put(`order/${bookingId}`, { state: 'seen' });
    throw new InvalidBookingResponse(`got ${JSON.stringify(data)}`);
  },
});
const waiverFields = { lastVisit: '2027-06-12T07:30:00.000Z', updatedAt: '2027-06-11T18:00:00.123Z' };
const vendorInput = {
  settings: { appKey: 'app-1' },
  account: { accountId: 'a', apiKey: 'user-1', host: 'acme' },
};

test.each<[Pick<Booking, 'status' | 'statusGroup'>, number, readonly string[]]>([
  [{ status: 'booked', statusGroup: 'active' }, 0, ['nobody_expected']],
  [{ status: 'booked', statusGroup: 'active' }, 1, []],
  [{ status: 'held', statusGroup: 'other' }, 0, []],
  [{ status: 'gone', statusGroup: 'cancelled' }, 0, []],
  [{ status: 'booked' }, 0, ['nobody_expected']],
  [{ status: 'Canceled' }, 0, []],
])('a booking of %j for %i people has the warnings %j', async (status, pax, codes) => {
  const bookedSessions = [{ startsAt: '2026-07-01T10:00:00Z' }];
  const booking: Booking = { ...status, id: 'b1', pax, guests: [], bookedSessions, contact: { name: 'Ann' } };
  const plugin = defineBookingSystem({
    installName: 'vendor',
    displayName: 'Vendor',
    capabilities: { takes: [], void: false },
    fetchBooking: async () => ({ booking, form: 'native', warnings: [] }),
  });
  const { warnings } = await plugin.fetchBooking(setup.context(plugin), 'b1');
  expect(warnings.map(({ code }) => code)).toEqual(codes);
});

test('what the functions say is not declared a second time, and notes are written one at a time', () => {
  const fetchBooking = () => Promise.reject(new InvalidBookingResponse('never read'));
  const definition = { installName: 'vendor', displayName: 'Vendor', fetchBooking };
  const of = (takes: ('notes' | 'fields')[], more: object = {}) =>
    defineBookingSystem({ ...definition, capabilities: { takes, void: false }, ...more });
  const reading = { forms: ['native'], guestUpdate: false, takes: ['fields'], void: false, inbound: 'none' };
  expect(of(['fields'])).toMatchObject({ writeUnit: 'waiver' });
  expect(of(['fields']).capabilities).toEqual(reading);
  const functions = {
    listBookings: async () => ({ bookings: [] }),
    changesSince: async () => ({ bookingIds: [], cursor: '', hasMore: false }),
    checkAccess: async () => ({}),
    pushWaiver: async () => ({ accepted: true, warnings: [] }),
    parseInbound: () => ({ bookingIds: [] }),
  };
  expect(of(['notes'], functions)).toMatchObject({
    writeUnit: 'booking',
    capabilities: { guestUpdate: true, inbound: 'native', lists: true, changes: {}, checksAccess: true },
  });
  expect(of(['notes'], { writeUnit: 'waiver' })).toMatchObject({ writeUnit: 'waiver' });
});

test('plain data makes a complete plugin that follows the contract', () => {
  expect(manifestSchema.parse(pathPlugin)).toMatchObject({
    specificationVersion,
    contract: { authHeaderName: 'api-key', guestUpdateAuthHeaderName: 'API-key' },
    writeUnit: 'waiver',
    capabilities: {
      forms: ['current', 'legacy'],
      guestUpdate: true,
      takes: ['waiver'],
      void: true,
      inbound: 'contract',
    },
  });
  expect(pathPlugin.settingsSchema.parse({})).toEqual({});
  expect(pathPlugin.url).toBeUndefined();
  expect(pathPlugin.pushWaiver).toBeTypeOf('function');
  expect(pathPlugin.parseInbound).toBeUndefined();
});

test('settings and account have descriptions for generated forms', () => {
  expect(z.toJSONSchema(pathPlugin.accountSchema, { io: 'input' })).toMatchObject({
    properties: {
      accountId: { description: expect.any(String) },
      apiKey: { description: expect.any(String) },
    },
    required: ['accountId', 'apiKey'],
  });
});

test('a vendor’s functions replace the defaults', async () => {
  server.willAnswer({ body: { state: 'fine' } });
  const context = setup.context(vendor, vendorInput);
  await expect(vendor.fetchBooking(context, '7')).rejects.toThrow('got {"state":"fine"}');
  const request = server.takeRequest();
  expect(request).toMatchObject({ method: 'PUT', url: '/partner/api/order/7', body: '{"state":"seen"}' });
  expect(request.headers).toMatchObject({ 'x-app': 'app-1', 'x-user': 'user-1' });
  expect(request.headers).not.toHaveProperty('api-key');
});

test('a system without Guest Updates has no pushWaiver', () => {
  expect(vendor.pushWaiver).toBeUndefined();
});

test('a booking that is not found during a write is a rejection that is retried', async () => {
  const { fetchBooking, installName, displayName } = pathPlugin;
  const waiver = { ...waiverFields, id: 'w', pool: 'p', bookingId: 'b', deleted: false };
  for (const pushWaiver of [
    () => Promise.reject(new BookingNotFound('gone')),
    () => {
      throw new BookingNotFound('gone');
    },
  ]) {
    const capabilities = { takes: ['notes' as const], void: true };
    const plugin = defineBookingSystem({ installName, displayName, capabilities, fetchBooking, pushWaiver });
    const pushed = plugin.pushWaiver?.(setup.context(plugin), waiver);
    await expect(pushed).rejects.toMatchObject({
      code: 'waiver_rejected',
      retry: 'schedule',
      message: 'gone',
    });
  }
});

test('the vendor’s public address is used only if no base address is set', async () => {
  const shown = await vendor
    .fetchBooking(setup.context(vendor, { ...vendorInput, baseUrl: null, signal: AbortSignal.abort() }), '7')
    .catch(String);
  expect(shown).toContain('acme.vendor.example');
});

test('an account keeps additional fields', () => {
  const account = { accountId: 7, apiKey: 12345, region: 'eu' };
  expect(setup.context(pathPlugin, { account }).account).toEqual({
    accountId: 7,
    apiKey: '12345',
    region: 'eu',
  });
});

test.each([
  ['no base address', { baseUrl: null }, /By Path has no base address.*baseUrl/],
  ['a base address with a query', { baseUrl: 'https://a.example/?key=1' }, /base address of By Path/],
  ['an empty base address', { baseUrl: '' }, /By Path has no base address.*booking-systems\/by-path/],
  ['a base address with a fragment', { baseUrl: 'https://a.example/#b' }, /base address of By Path/],
  ['a base address that is none', { baseUrl: 'a.example' }, /base address of By Path/],
  ['an account without a key', { account: { accountId: 1 } }, /installation of By Path.*apiKey/],
  [
    'an account with a key that no header can carry',
    { account: { accountId: 1, apiKey: 'a\r\nb: c' } },
    /installation of By Path.*apiKey/,
  ],
])('%s is refused in a sentence that says what to set', (_what, input, sentence) => {
  const attempt = () => setup.context(pathPlugin, input);
  expect(attempt).toThrow(BookingSystemNotConfigured);
  expect(attempt).toThrow(sentence);
  expect(attempt).toThrow(
    expect.objectContaining({ code: 'booking_system_not_configured', retryable: true }),
  );
});

test('missing settings and account fields are named', () => {
  expect(() => setup.context(vendor, { ...vendorInput, settings: {} })).toThrow(/settings of Vendor.*appKey/);
  expect(() => setup.context(vendor, { ...vendorInput, settings: null })).toThrow(
    'the settings of Vendor are not complete (settings: must be an object, not null)',
  );
  expect(() => setup.context(vendor, { ...vendorInput, account: { accountId: 1 } })).toThrow(
    /\(apiKey: .*; host: is missing\)$/,
  );
});

test('each request is reported, redacted', async () => {
  server.willAnswer({ body: { ...currentBody(), echo: 'planted-key-51c0ffee' } });
  setup.exchanges.length = 0;
  await pathPlugin.fetchBooking(setup.context(pathPlugin), 'BK-1042');
  expect(setup.exchanges).toMatchObject([{ method: 'GET', status: 200 }]);
  const shown = setup.exchanges.map(({ url, excerpt }) => `${url} ${excerpt}`).join();
  expect(shown).toContain('«redacted»');
  expect(shown).not.toContain('planted-key');
});
