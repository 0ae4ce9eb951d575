import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  checkfrontBooking,
  criticalError,
  type SimulatedCheckfront,
  startCheckfront,
} from '../simulator/index.ts';
import checkfront from '../src/index.ts';

const keys = { apiKey: 'api-key-1', apiSecret: 'api:secret-1' };
const { code } = checkfrontBooking();
let system: SimulatedCheckfront;
// The waivers' day, on which the requests for notes depend.
const now = new Date('2027-06-12T18:00:00Z');
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  system = await startCheckfront(keys);
});
afterEach(async () => {
  vi.useRealTimers();
  await system.close();
});

const connected = () => connect(checkfront, { baseUrl: system.url, account: keys });
const context = () => connected().contextFor();
const read = (id = code) => connected().read(id);
const push = (id: string, changes: Partial<Waiver> = {}) =>
  connected().push({
    id,
    bookingId: code,
    lastVisit: '2027-06-14T07:30:00.000Z',
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const bodies = () => system.notes.map(({ body }) => body);

describe('over real HTTP', () => {
  test('a booking whose items were all removed one by one is cancelled', async () => {
    const { items } = checkfrontBooking();
    const { booking: before } = await read();
    const statuses = ['VOID', 'STOP', 'VOID'];
    system.put(checkfrontBooking({ items: items.map((item, nth) => ({ ...item, status: statuses[nth] })) }));
    const { booking } = await read();
    expect(booking).toMatchObject({ status: 'VOID', statusGroup: 'cancelled', pax: before.pax });
    expect(booking.bookedSessions).toEqual(before.bookedSessions);
    system.put(checkfrontBooking({ items: [] }));
    await expect(read()).rejects.toThrow('give it a date in Checkfront');
  });

  test('a waiver has a single note, whether it names the booking by number or by code', async () => {
    for (const bookingId of ['4021', code, '4021', code]) await push('w1', { bookingId });
    expect(bodies()).toEqual(['[waiver w1] updated 2027-06-10']);
    await push('w1', { bookingId: '4021', updatedAt: '2027-06-11T09:00:00.000Z' });
    await push('w1', { bookingId: code, updatedAt: '2027-06-11T10:00:00.000Z' });
    expect(bodies()).toEqual(['[waiver w1] updated 2027-06-10', '[waiver w1] updated 2027-06-11']);
  });

  test('only the notes of a few days are listed, or those of 30 days for an old change', async () => {
    const asked = () =>
      system.received.filter(({ route }) => route === 'notes').map(({ path }) => path.split('?')[1]);
    await push('w1', { updatedAt: '2027-06-12T17:59:00.000Z' });
    expect(asked()).toEqual(['date=2027-06-13', 'date=2027-06-12', 'date=2027-06-11']);
    vi.setSystemTime('2027-06-25T18:00:00Z');
    await push('w1', { updatedAt: '2027-06-12T17:59:00.000Z' });
    expect(asked().slice(3)).toEqual([undefined]);
    expect(bodies()).toEqual(['[waiver w1] updated 2027-06-12']);
  });

  test('a void adds a note once, with a warning that the previous one remains', async () => {
    await push('w1', { diet: 'none' });
    const voided = { deleted: true, updatedAt: '2027-06-12T08:00:00.000Z', diet: 'none' };
    const first = await push('w1', voided);
    const second = await push('w1', voided);
    expect(bodies().slice(1)).toEqual(['[waiver w1] voided 2027-06-12']);
    for (const pushed of [first, second]) {
      expect(pushed?.warnings.map(({ code: warning }) => warning)).toEqual(['waiver_partly_written']);
    }
  });

  test('a note is truncated to Checkfront’s limit, and is not repeated', async () => {
    const long = { story: '🎫 '.repeat(2000) };
    const pushed = await push('ü'.repeat(128), long);
    await push('ü'.repeat(128), long);
    expect(system.notes).toHaveLength(1);
    const [body = ''] = bodies();
    expect(body.length).toBeLessThanOrEqual(3000);
    expect(body.length).toBeGreaterThan(2990);
    expect(body.isWellFormed()).toBe(true);
    expect(pushed?.warnings.map(({ code: warning }) => warning)).toEqual(['waiver_partly_written']);
  });

  test.each(['x ', '🎫'])('a note truncated within "%s" is recognised', async (text) => {
    for (const id of ['w', 'ww', 'w', 'ww']) await push(id, { story: text.repeat(2000) });
    expect(system.notes).toHaveLength(2);
    for (const body of bodies()) expect(body.length).toBeLessThanOrEqual(3000);
  });

  test('a critical error with status 200 adds no note, neither now nor a second time', async () => {
    await push('w1');
    system.faults.next('notes', criticalError('Invalid credentials'));
    await expect(push('w1')).rejects.toMatchObject({ code: 'waiver_rejected', retry: 'schedule' });
    system.faults.next('note', criticalError('Invalid credentials'));
    await expect(push('w2')).rejects.toThrow('did not take the note, saying "Invalid credentials"');
    expect(bodies()).toEqual(['[waiver w1] updated 2027-06-10']);
    await push('w2');
    expect(bodies()).toHaveLength(2);
  });

  test('a critical error with status 200 is neither an empty list nor a good account', async () => {
    const request = { from: '2027-06-14T00:00:00.000Z', until: '2027-06-15T00:00:00.000Z', limit: 10 };
    const error = { code: 'booking_system_error', upstreamStatus: 200 };
    system.faults.next('index', criticalError('Invalid credentials'));
    await expect(checkfront.listBookings?.(context(), request)).rejects.toMatchObject(error);
    system.faults.next('index', criticalError('Invalid credentials'));
    const since = { cursor: JSON.stringify({ since: now.getTime() }), now };
    await expect(checkfront.changesSince?.(context(), since)).rejects.toMatchObject(error);
    system.faults.next('company', criticalError('Invalid credentials'));
    await expect(checkfront.checkAccess?.(context())).rejects.toMatchObject(error);
    system.faults.next('read', criticalError('Invalid credentials'));
    await expect(read()).rejects.toThrow('no booking, saying "Invalid credentials"');
  });

  test('the names of other endpoints are never requested as bookings', async () => {
    for (const id of ['index', 'notes', 'INDEX', 'form', 'session', 'create', '.', '..', '']) {
      await expect(read(id), id).rejects.toMatchObject({ code: 'booking_not_found' });
    }
    expect(system.received).toEqual([]);
  });
});
