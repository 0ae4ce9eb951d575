import { InvalidBookingResponse, manifestSchema, specificationVersion } from '@waiver-service/core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { BookingSystemNotConfigured, defineBookingSystem, installedAccountSchema } from '../src/index.ts';
import { openBench, pathPlugin } from './bench.ts';
import { currentBody } from './bookings.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';

let server: RecordingServer;
let bench: ReturnType<typeof openBench>;
beforeAll(async () => {
  server = await startRecordingServer();
  bench = openBench(server.baseUrl);
});
afterEach(() => {
  server.takeAll();
});
afterAll(async () => {
  await bench.outbound.close();
  await server.close();
});

// A vendor that differs in everything that may differ.
const vendor = defineBookingSystem({
  installName: 'vendor',
  displayName: 'Vendor',
  pathShape: 'path',
  guestId: 'none',
  writeUnit: 'booking',
  settingsSchema: z.object({ appKey: z.string().min(1) }),
  accountSchema: installedAccountSchema.extend({ host: z.string().regex(/^[a-z0-9-]+$/) }),
  capabilities: { forms: ['native'], guestUpdate: false, takes: [], void: false, inbound: 'none' },
  url: ({ account }) => `https://${account.host}.vendor.example/api`,
  headers: ({ settings, account }) => ({ 'X-App': settings.appKey, 'X-User': account.apiKey }),
  async fetchBooking({ http }, bookingId) {
    const { data } = await http.put(`order/${bookingId}`, { state: 'seen' });
    throw new InvalidBookingResponse(`got ${JSON.stringify(data)}`);
  },
});
const vendorInput = {
  settings: { appKey: 'app-1' },
  account: { accountId: 'a', apiKey: 'user-1', host: 'acme' },
};

test('plain data is a whole plugin: a manifest that the host accepts, and what follows the contract', () => {
  expect(manifestSchema.parse(pathPlugin)).toMatchObject({
    specificationVersion,
    authHeaderName: 'api-key',
    guestUpdateAuthHeaderName: 'API-key',
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
  expect(pathPlugin.defaultBaseUrl).toBeUndefined();
  expect(pathPlugin.pushWaiver).toBeTypeOf('function');
  expect(pathPlugin.parseInbound).toBeUndefined();
});

test('settings and account are described, so that forms can be made of them', () => {
  expect(z.toJSONSchema(pathPlugin.accountSchema, { io: 'input' })).toMatchObject({
    properties: {
      accountId: { description: expect.any(String) },
      apiKey: { description: expect.any(String) },
    },
    required: ['accountId', 'apiKey'],
  });
});

test('a vendor’s own functions replace the contract’s, with its headers and what it was given', async () => {
  server.willAnswer({ body: { state: 'fine' } });
  const context = bench.context(vendor, vendorInput);
  await expect(vendor.fetchBooking(context, '7')).rejects.toThrow('got {"state":"fine"}');
  const request = server.takeRequest();
  expect(request).toMatchObject({ method: 'PUT', url: '/partner/api/order/7', body: '{"state":"seen"}' });
  expect(request.headers).toMatchObject({ 'x-app': 'app-1', 'x-user': 'user-1' });
  expect(request.headers).not.toHaveProperty('api-key');
});

test('a system that takes no Guest Updates has no function for them', () => {
  expect(vendor.pushWaiver).toBeUndefined();
});

test('the vendor’s public address counts only where no base address is set', async () => {
  const shown = await vendor
    .fetchBooking(bench.context(vendor, { ...vendorInput, baseUrl: null, signal: AbortSignal.abort() }), '7')
    .catch(String);
  expect(shown).toContain('acme.vendor.example');
});

test('an account keeps what a booking system sends besides', () => {
  const account = { accountId: 7, apiKey: 12345, region: 'eu' };
  expect(bench.context(pathPlugin, { account }).account).toEqual({
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
  const attempt = () => bench.context(pathPlugin, input);
  expect(attempt).toThrow(BookingSystemNotConfigured);
  expect(attempt).toThrow(sentence);
  expect(attempt).toThrow(
    expect.objectContaining({ code: 'booking_system_not_configured', retryable: true }),
  );
});

test('settings that are incomplete are named', () => {
  expect(() => bench.context(vendor, { ...vendorInput, settings: {} })).toThrow(/settings of Vendor.*appKey/);
  expect(() => bench.context(vendor, { ...vendorInput, settings: null })).toThrow(
    'the settings of Vendor are not complete (settings: must be an object, not null)',
  );
  expect(() => bench.context(vendor, { ...vendorInput, account: { accountId: 1 } })).toThrow(
    /\(apiKey: .*; host: is missing\)$/,
  );
});

test('each call is told of, redacted', async () => {
  server.willAnswer({ body: { ...currentBody(), echo: 'planted-key-51c0ffee' } });
  bench.exchanges.length = 0;
  await pathPlugin.fetchBooking(bench.context(pathPlugin), 'BK-1042');
  expect(bench.exchanges).toMatchObject([{ method: 'GET', status: 200 }]);
  expect(JSON.stringify(bench.exchanges)).toContain('«redacted»');
  expect(JSON.stringify(bench.exchanges)).not.toContain('planted-key');
});

test('a booking that repeats the key is read without it; what is too short to be a key stays', async () => {
  const echoing = (apiKey: string) => ({
    ...currentBody(),
    notes: `sent with ${apiKey}`,
    debug: [{ header: [apiKey] }],
  });
  for (const [apiKey, shown] of [
    ['a-key-of-24-characters-1', '«redacted»'],
    ['Active', 'Active'],
  ] as const) {
    server.willAnswer({ body: echoing(apiKey) });
    const context = bench.context(pathPlugin, { account: { accountId: 1, apiKey } });
    const { booking } = await pathPlugin.fetchBooking(context, 'B1');
    expect(booking).toMatchObject({
      status: 'Active',
      notes: `sent with ${shown}`,
      debug: [{ header: [shown] }],
    });
  }
});
