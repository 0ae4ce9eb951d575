import { startWebhookReceiver } from '@waiver-service/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fareHarborBooking, type SimulatedFareHarbor, startFareHarbor } from '../simulator/index.ts';

const keys = { appKey: 'app-key', userKey: 'user-key', shortname: 'tyrolrafting' };
const { uuid } = fareHarborBooking();
let system: SimulatedFareHarbor;
beforeEach(async () => {
  system = await startFareHarbor(keys);
});
afterEach(() => system.close());

const headers = { 'X-FareHarbor-API-App': keys.appKey, 'X-FareHarbor-API-User': keys.userKey };
const call = (path: string, init: RequestInit = {}) =>
  fetch(`${system.url}/companies/${path}`, { headers, ...init });
const putNote = (body: string, type = 'application/json') =>
  call(`tyrolrafting/bookings/${uuid}/note/`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': type },
    body,
  });

describe('a simulated FareHarbor', () => {
  test('serves a booking, and keeps the note as one text', async () => {
    expect((await putNote('{"note":"one\\ntwo"}')).status).toBe(200);
    expect((await putNote('{"note":"three"}')).status).toBe(200);
    const answer = await call(`tyrolrafting/bookings/${uuid}/`);
    expect(await answer.json()).toEqual({ booking: fareHarborBooking({ note: 'three' }) });
    expect(system.received.map(({ route }) => route)).toEqual(['note', 'note', 'read']);
  });

  test.each([
    ['no keys', `tyrolrafting/bookings/${uuid}/`, {}, 400, 'key-missing'],
    [
      'another app',
      `tyrolrafting/bookings/${uuid}/`,
      { ...headers, 'X-FareHarbor-API-App': 'x' },
      403,
      'app-key-invalid',
    ],
    [
      'another user',
      `tyrolrafting/bookings/${uuid}/`,
      { ...headers, 'X-FareHarbor-API-User': 'x' },
      403,
      'user-key-invalid',
    ],
    ['another company', `other/bookings/${uuid}/`, headers, 404, 'company-shortname-invalid'],
    ['another booking', 'tyrolrafting/bookings/x/', headers, 404, 'booking-uuid-invalid'],
    ['another address', 'tyrolrafting/items/', headers, 404, 'not-found'],
  ])('refuses %s in its own envelope', async (_what, path, sent, status, error) => {
    const answer = await call(path, { headers: sent });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error, status });
  });

  test.each([
    ['{"note":5}', 'application/json', 'booking-note-error'],
    ['{"note"', 'application/json', 'book-data-parse-error'],
    ['{"note":""}', 'text/plain', 'content-type-invalid-error'],
  ])('refuses the note %s as %s', async (body, type, error) => {
    expect(await (await putNote(body, type)).json()).toEqual({ error, status: 400 });
    expect(system.bookings.get(uuid)?.note).toBe('Arrives by train.');
  });

  test('a rebooked booking refers to a new one with new customers', () => {
    const next = system.rebook(uuid);
    expect(system.bookings.get(uuid)).toMatchObject({ status: 'rebooked', rebooked_to: next.uuid });
    expect(next).toMatchObject({ status: 'booked', rebooked_from: uuid, rebooked_to: null });
    expect(next.customers.map(({ pk }) => pk)).not.toContain(900001);
    expect(() => system.rebook('none')).toThrow('no booking none');
  });

  test('announces a change with the whole booking and no signature', async () => {
    const receiver = await startWebhookReceiver();
    expect(await system.announce(receiver.url, uuid)).toBe(200);
    const [request] = receiver.received;
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({ booking: fareHarborBooking() });
    await receiver.close();
  });

  test('plays faults, and accepts other bookings', async () => {
    system.faults.next('read', { kind: 'status', status: 420, retryAfter: 5 });
    expect((await call(`tyrolrafting/bookings/${uuid}/`)).status).toBe(420);
    system.put(fareHarborBooking({ uuid: 'u 2/ä' }));
    expect((await call(`tyrolrafting/bookings/${encodeURIComponent('u 2/ä')}/`)).status).toBe(200);
  });
});
