import type { BookingSystemHttp, Waiver } from '@waiver-service/core';
import { expect, test } from 'vitest';
import plugin from '../src/index.ts';

const account = { accountId: 'a', apiKey: 'account-key' };

/** A context whose client records each request and finds nothing. */
function recordingContext() {
  const requests: unknown[] = [];
  const record =
    (method: string) =>
    async (path: string, ...rest: unknown[]) => {
      requests.push([method, path, Object(rest.at(-1)).params]);
      return { status: 404, headers: {}, data: { success: false, message: 'not found' } };
    };
  const http: BookingSystemHttp = {
    get: record('GET'),
    post: record('POST'),
    put: record('PUT'),
    patch: record('PATCH'),
    delete: record('DELETE'),
  };
  const secrets = { redact: String, redactData: String };
  const { signal } = new AbortController();
  return { context: { pool: 'p', http, settings: {}, account, secrets, signal }, requests };
}

test('the key has a header of its own for reading and for Guest Update', () => {
  const headersFor = (purpose: 'read' | 'guest-update') =>
    plugin.authHeaders({ settings: {}, account, purpose });
  expect(headersFor('read')).toEqual({ authentication: 'account-key' });
  expect(headersFor('guest-update')).toEqual({ 'API-key': 'account-key' });
});

test('a booking is requested by its id, for the pool', async () => {
  const { context, requests } = recordingContext();
  await expect(plugin.fetchBooking(context, 'B 1')).rejects.toMatchObject({ code: 'booking_not_found' });
  expect(requests).toEqual([['GET', 'bookings', { id: 'B 1', pool: 'p' }]]);
});

test('an id that no path could have is not asked for', async () => {
  const { context, requests } = recordingContext();
  await expect(plugin.fetchBooking(context, '..')).rejects.toMatchObject({ code: 'booking_not_found' });
  expect(requests).toEqual([]);
});

test('a waiver goes to the guest of the booking', async () => {
  const { context, requests } = recordingContext();
  const waiver: Waiver = {
    id: 'W-1',
    pool: 'p',
    bookingId: 'B-1',
    bookingGuestId: 'g-1',
    lastVisit: '2027-06-12T07:30:00Z',
    deleted: false,
    updatedAt: '2027-06-12T07:30:00Z',
  };
  await expect(plugin.pushWaiver?.(context, waiver)).rejects.toThrow();
  expect(requests).toEqual([['POST', 'bookings/B-1/guests/', { bookingId: 'B-1', bookingGuestId: 'g-1' }]]);
});
