import type { PushedWaiver } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import {
  type SimulatedBookingSystem,
  type SimulatedWebhookReceiver,
  startWebhookReceiver,
} from '@waiver-service/simulator';
import { startSystemFor, startTestHost, type TestHost, until } from '@waiver-service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let host: TestHost;

describe('a Guest Update', () => {
  let bookingSystem: SimulatedBookingSystem;
  let receiver: SimulatedWebhookReceiver;
  let installKey: string;
  let bookingId: string;

  beforeAll(async () => {
    bookingSystem = await startSystemFor('standard', { apiKey: 'planted-partner-key' });
    receiver = await startWebhookReceiver({});
    bookingId = bookingSystem.bookings.all[0]?.id ?? '';
    host = await startTestHost();
    await host.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: bookingSystem.url });
    ({ installKey } = await host.preparePool('shore'));
    await bookingSystem.install({
      baseUrl: host.url,
      installName: 'standard',
      key: installKey,
      pool: 'shore',
      accountId: 1,
    });
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([bookingSystem.close(), receiver.close()]);
  });
  beforeEach(() => bookingSystem.faults.clear());

  const sign = async (answers: object = { name: 'Ada' }) => {
    const { status, body } = await host.call('POST', '/v1/pools/shore/waivers', {
      bookingId,
      bookingSystem: 'standard',
      answers,
    });
    expect(status).toBe(201);
    return body;
  };
  const deliveryOf = async (id: string) =>
    (await host.call('GET', `/v1/admin/deliveries?waiverId=${id}&kind=guest-update`)).body.items[0];
  const untilState = (id: string, state: string) =>
    until(
      async () => (await deliveryOf(id))?.state === state && (await deliveryOf(id)),
      `the delivery to be ${state}`,
    );

  test('each attempt is recorded with its response, without keys', async () => {
    bookingSystem.faults.next('guest-update', {
      kind: 'status',
      status: 500,
      body: { message: 'the key planted-partner-key is fine' },
    });
    const waiver = await sign();
    const { id } = await untilState(waiver.id, 'delivered');
    const { body } = await host.call('GET', `/v1/admin/deliveries/${id}`);
    expect(body.attempts).toMatchObject([
      {
        outcome: 'refused',
        status: 500,
        errorCode: 'http_status',
        response: expect.stringContaining('is fine'),
      },
      { outcome: 'accepted', status: 200 },
    ]);
    // A successful response may contain a guest's data.
    expect(body.attempts[1]).not.toHaveProperty('response');
    expect(JSON.stringify(body)).not.toContain('planted-partner-key');
  });

  test('no secret is in the log', () => {
    const log = host.lines.join('');
    expect(log).toContain('delivery attempted');
    for (const secret of ['planted-partner-key', installKey]) expect(log).not.toContain(secret);
  });

  test('a booking system without an address uses up no attempt, and gets the waiver once it has one', async () => {
    const later = await startSystemFor('standard-query', { apiKey: 'planted-partner-key' });
    try {
      await host.call('PUT', '/v1/admin/pools/shore/installations/standard-query', {
        accountId: 1,
        apiKey: 'planted-partner-key',
      });
      const { body: waiver } = await host.call('POST', '/v1/pools/shore/waivers', {
        bookingId,
        bookingSystem: 'standard-query',
        answers: { name: 'Ada' },
      });
      const detail = async () => {
        const { id } = await deliveryOf(waiver.id);
        return (await host.call('GET', `/v1/admin/deliveries/${id}`)).body;
      };
      const tried = await until(async () => {
        const delivery = await detail();
        return delivery.attempts.length > 0 && delivery.state === 'waiting' && delivery;
      }, 'a first attempt');
      expect(tried.attempts).toMatchObject([{ outcome: 'own-fault' }]);
      await host.call('PUT', '/v1/admin/booking-systems/standard-query', { baseUrl: later.url });
      await host.call('POST', `/v1/admin/deliveries/${tried.id}/retry`);
      await untilState(waiver.id, 'delivered');
      expect([...later.waivers.keys()]).toEqual([waiver.id]);
    } finally {
      await later.close();
      await host.call('DELETE', '/v1/admin/pools/shore/installations/standard-query');
    }
  });
});

describe('a waiver that is written in part', () => {
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
});
