import { createHmac } from 'node:crypto';
import { partnerApiKeySchema, type SignableRequest } from '@waiver-service/core';
import { defineBookingSystem, installedAccountSchema } from '@waiver-service/plugin-kit';
import { type SimulatedBookingSystem, startBookingSystem } from '@waiver-service/simulator';
import { startTestHost, type TestHost, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const secretKey = 'signing-secret-of-the-account';
const accountSchema = installedAccountSchema.extend({ secretKey: partnerApiKeySchema });

const signatureOf = (key: string, date: string, { method, url, body }: SignableRequest) =>
  createHmac('sha1', key)
    .update(date + method + url.pathname + url.search)
    .update(body)
    .digest('base64');

const plugin = defineBookingSystem({
  installName: 'signed',
  displayName: 'Signed',
  contract: {
    authHeaderName: 'X-Signature',
    guestUpdateAuthHeaderName: 'X-Signature',
    pathShape: 'path',
    guestId: 'booking-guest-id',
  },
  accountSchema,
  authenticate(request) {
    const date = request.now.toISOString();
    const signature = signatureOf(request.account.secretKey, date, request);
    return { headers: { 'X-Date': date, 'X-Signature': signature } };
  },
});

let host: TestHost;
let system: SimulatedBookingSystem;
/** Every signature that reached the booking system. */
const signatures: string[] = [];

beforeAll(async () => {
  system = await startBookingSystem({
    apiKey: 'key-of-the-account',
    pathShape: 'path',
    form: 'current',
    isAuthentic(request) {
      const { 'x-date': date = '', 'x-signature': signature = '' } = request.headers;
      signatures.push(signature);
      // The next booking that is read shows what the request carried.
      const booking = system.bookings.all[0];
      if (booking)
        system.bookings.replace({ ...booking, contact: { ...booking.contact, name: `signed ${signature}` } });
      const age = request.now.getTime() - Date.parse(date);
      return Math.abs(age) < 60_000 && signature === signatureOf(secretKey, date, request);
    },
  });
  host = await startTestHost({ plugins: [plugin] });
  await host.call('PUT', '/v1/admin/booking-systems/signed', { baseUrl: system.url });
  await host.preparePool('shore', 'signed');
  const account = { accountId: 1, apiKey: 'key-of-the-account', secretKey };
  const installed = await host.call('PUT', '/v1/admin/pools/shore/installations/signed', account);
  expect(installed.status).toBe(200);
});
afterAll(async () => {
  await host.close();
  await system.close();
});

const bookingId = () => system.bookings.all[0]?.id ?? '';

test('a booking is read by a signed request, and does not show the signature that it repeats', async () => {
  const { status, text, body } = await host.call('GET', `/v1/pools/shore/bookings/${bookingId()}`);
  expect([status, body.booking?.contact?.name]).toEqual([200, 'signed «redacted»']);
  expect(signatures.length).toBeGreaterThan(0);
  for (const signature of signatures) expect(text).not.toContain(signature);
});

test('each attempt of a waiver has a new signature, which no attempt shows', async () => {
  system.faults.next('guest-update', { kind: 'status', status: 503 }, 1);
  const before = signatures.length;
  const { body: record } = await host.call('POST', '/v1/pools/shore/waivers', {
    bookingId: bookingId(),
    bookingSystem: 'signed',
    answers: { name: 'Ada' },
  });
  await until(() => system.waivers.has(record.id), 'the waiver to arrive');
  const { body: list } = await host.call('GET', `/v1/admin/deliveries?waiverId=${record.id}`);
  const delivery = await until(async () => {
    const { body } = await host.call('GET', `/v1/admin/deliveries/${list.items[0].id}`);
    return body.state === 'delivered' && body;
  }, 'the delivery to be recorded');
  expect(delivery.attempts).toHaveLength(2);
  for (const signature of signatures) expect(JSON.stringify(delivery)).not.toContain(signature);
  const sent = system.received
    .filter(({ route }) => route === 'guest-update')
    .map(({ headers }) => String(headers['x-signature']));
  expect(new Set(sent).size).toBe(2);
  expect(signatures.slice(before)).toContain(sent[1]);
});

test('a request that is signed with another secret is refused, and no line of the log has a signature', async () => {
  const account = { accountId: 1, apiKey: 'key-of-the-account', secretKey: 'another-secret' };
  await host.call('PUT', '/v1/admin/pools/shore/installations/signed', account);
  const { body } = await host.call('POST', '/v1/admin/pools/shore/installations/signed/test', {
    bookingId: bookingId(),
  });
  expect(body).toMatchObject({ ok: false, code: 'booking_system_auth_rejected' });
  const log = host.lines.join('\n');
  expect(log).toContain('/installations/signed/test');
  for (const signature of signatures) expect(log).not.toContain(signature);
});
