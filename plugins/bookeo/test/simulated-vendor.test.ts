import { createHmac } from 'node:crypto';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookeoBooking, bookeoCustomer, type SimulatedBookeo, startBookeo } from '../simulator/index.ts';

const keys = { apiKey: 'account-key', secretKey: 'secret-key' };
const headers = { 'X-Bookeo-apiKey': keys.apiKey, 'X-Bookeo-secretKey': keys.secretKey };
const bookingPath = `/bookings/${bookeoBooking.bookingNumber}`;
const linkedPath = '/customers/4155700C/linkedpeople/4155700L1';
let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo(keys);
});
afterEach(() => system.close());

const get = (path: string, own: Record<string, string> = headers) =>
  fetch(`${system.url}${path}`, { headers: own });
const put = (path: string, body: unknown) =>
  fetch(`${system.url}${path}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('Bookeo', () => {
  test('includes the people only if the query expands them', async () => {
    expect(await (await get(bookingPath)).json()).toEqual(bookeoBooking);
    const full = await get(`${bookingPath}?expandCustomer=true&expandParticipants=true`);
    expect(await full.json()).toMatchObject({
      customer: { firstName: 'Zoë' },
      participants: {
        details: [
          expect.not.objectContaining({ personDetails: expect.anything() }),
          expect.not.objectContaining({ personDetails: expect.anything() }),
          { personId: '4155700L1', personDetails: { firstName: 'Ægir' } },
        ],
      },
    });
  });

  test('answers a wrong key, an unknown booking and an unknown person each with its own error', async () => {
    expect((await get(bookingPath, { ...headers, 'X-Bookeo-secretKey': 'x' })).status).toBe(401);
    expect((await get(bookingPath, { ...headers, 'X-Bookeo-apiKey': 'x' })).status).toBe(403);
    const answer = await get('/bookings/none');
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ httpStatus: 404 })]);
    expect((await put('/customers/none', {})).status).toBe(404);
    expect((await put('/customers/4155700C/linkedpeople/none', {})).status).toBe(404);
    expect((await get('/elsewhere')).status).toBe(404);
  });

  test('replaces a person: omitted fields are lost, fields that it maintains are kept', async () => {
    const change = { id: 'other', firstName: 'Egil', customFields: [{ name: 'Waiver', value: 'w' }] };
    expect((await put(linkedPath, change)).status).toBe(200);
    expect(system.person('4155700C', '4155700L1')).toEqual({
      id: '4155700L1',
      customerId: '4155700C',
      creationTime: '2026-01-02T10:00:00+01:00',
      firstName: 'Egil',
      customFields: [{ name: 'Waiver', value: 'w' }],
    });
    expect(system.person('4155700C')).toEqual(bookeoCustomer.person);
  });

  test.each([
    '{',
    '[]',
    { customFields: {} },
    { customFields: ['Waiver'] },
    { customFields: [{ name: 'Other', value: '' }] },
    { customFields: [{ name: 'Waiver' }] },
  ])('refuses the person %j and changes nothing', async (body) => {
    expect((await put(linkedPath, body)).status).toBe(400);
    expect(system.person('4155700C', '4155700L1')).toEqual(bookeoCustomer.linkedPeople[0]);
  });

  test('signs its webhooks', async () => {
    const receiver = await startWebhookReceiver({ auth: { type: 'none' } });
    await system.announce(receiver.url, bookeoBooking.bookingNumber);
    const [call] = await receiver.untilReceived('webhook', 1);
    const {
      'x-bookeo-timestamp': at,
      'x-bookeo-messageid': message,
      'x-bookeo-signature': signature,
    } = call?.headers ?? {};
    const signed = `${at}${message}${receiver.url}${call?.body}`;
    expect(signature).toBe(createHmac('sha256', keys.secretKey).update(signed).digest('hex'));
    await receiver.close();
  });
});
