import type { PushedWaiver } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { startTestHost, type TestHost, until } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let host: TestHost;
let pushed: PushedWaiver;

// A vendor that has a place for some of a waiver, or for nothing of it.
const vendor = {
  ...defineBookingSystem({
    installName: 'vendor',
    displayName: 'Vendor',
    contract: { pathShape: 'path', guestId: 'none' },
  }),
  pushWaiver: async () => pushed,
};

beforeAll(async () => {
  host = await startTestHost({ plugins: [vendor] });
  await host.preparePool('shore', 'vendor');
  await host.call('PUT', '/v1/admin/booking-systems/vendor', { baseUrl: 'http://127.0.0.1:1' });
  await host.call('PUT', '/v1/admin/pools/shore/installations/vendor', {
    accountId: 1,
    apiKey: 'planted-key',
  });
});
afterAll(() => host.close());

async function deliveryAfterSigning() {
  const { body: waiver } = await host.call('POST', '/v1/pools/shore/waivers', {
    bookingId: 'b1',
    bookingSystem: 'vendor',
    answers: { name: 'Ada' },
  });
  return until(async () => {
    const { body } = await host.call('GET', `/v1/admin/deliveries?waiverId=${waiver.id}`);
    const [item] = body.items;
    const { body: detail } = await host.call('GET', `/v1/admin/deliveries/${item?.id}`);
    return detail.attempts?.length > 0 && !['waiting', 'sending'].includes(detail.state) && detail;
  }, 'the delivery to end');
}

test('parts of a waiver that were not written are shown with the attempt and the delivery', async () => {
  const warnings = [
    { code: 'waiver_partly_written', path: 'waiver.height', message: 'there is no field for the height' },
  ] as const;
  pushed = { accepted: true, warnings };
  const delivery = await deliveryAfterSigning();
  expect(delivery).toMatchObject({
    state: 'delivered',
    warnings,
    attempts: [{ outcome: 'accepted', warnings }],
  });
  expect(delivery).not.toHaveProperty('reason');
});

test('a waiver of which nothing was written is cancelled, with the reason, and never delivered', async () => {
  const reason = 'the booking has no participant to write to: add one and send the waiver again';
  pushed = { accepted: false, reason, warnings: [] };
  const delivery = await deliveryAfterSigning();
  expect(delivery).toMatchObject({
    state: 'cancelled',
    reason,
    warnings: [],
    attempts: [{ outcome: 'nothing-written' }],
  });

  // Once there is a place, a person has it sent again.
  pushed = { accepted: true, warnings: [] };
  await host.call('POST', `/v1/admin/deliveries/${delivery.id}/retry`);
  await until(async () => {
    const { body } = await host.call('GET', `/v1/admin/deliveries/${delivery.id}`);
    return body.state === 'delivered' && body.reason === undefined;
  }, 'the waiver to be delivered');
});
