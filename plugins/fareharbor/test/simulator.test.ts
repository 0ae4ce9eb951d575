import type { Waiver } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fareHarborBooking, type SimulatedFareHarbor, startFareHarbor } from '../simulator/index.ts';
import fareharbor from '../src/index.ts';

const keys = { appKey: 'app-key-1', userKey: 'user-key-1', shortname: 'tyrolrafting' };
const { uuid } = fareHarborBooking();
const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 5000 });
let system: SimulatedFareHarbor;
beforeEach(async () => {
  system = await startFareHarbor(keys);
});
afterEach(() => system.close());

const context = (purpose: 'read' | 'guest-update', changes: { appKey?: string; shortname?: string } = {}) =>
  createBookingSystemContext({
    plugin: fareharbor,
    outbound,
    baseUrl: system.url,
    pool: 'pool-1',
    settings: { appKey: changes.appKey ?? keys.appKey, guestNameField: 'Full name' },
    account: { accountId: 7, apiKey: keys.userKey, shortname: changes.shortname ?? keys.shortname },
    purpose,
    signal: new AbortController().signal,
  });
const read = (id = uuid) => fareharbor.fetchBooking(context('read'), id);
const push = (id: string, changes: Partial<Waiver> = {}) =>
  fareharbor.pushWaiver?.(context('guest-update'), {
    id,
    pool: 'pool-1',
    bookingId: uuid,
    bookingGuestId: '900001',
    lastVisit: '2027-06-12T07:30:00.000Z',
    deleted: false,
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const noteOf = (id = uuid) => system.bookings.get(id)?.note;

describe('over real HTTP', () => {
  test('a booking is read', async () => {
    const { booking, warnings } = await read();
    expect(booking).toMatchObject({
      id: uuid,
      pax: 2,
      guests: [{ id: '900001', name: 'Zoë Bäcker' }, { id: '900002' }],
      bookedSessions: [{ startsAt: '2027-06-12T07:30:00Z', endsAt: '2027-06-12T11:00:00Z' }],
      notes: 'Arrives by train.',
    });
    expect(warnings.map(({ code }) => code)).toEqual(['guest_without_name']);
  });

  test('two waivers of one booking coexist, updates replace, a void removes, staff’s text is kept', async () => {
    await push('w1');
    await push('w2', { bookingGuestId: '900002' });
    expect(noteOf()).toBe(
      'Arrives by train.\n[waiver w1] updated 2027-06-10 [end]\n[waiver w2] updated 2027-06-10 [end]',
    );
    await push('w1', { updatedAt: '2027-06-11T08:00:00.000Z', medication: 'none' });
    expect(noteOf()).toBe(
      'Arrives by train.\n[waiver w1] updated 2027-06-11 · medication: none [end]\n[waiver w2] updated 2027-06-10 [end]',
    );
    expect((await read()).booking.notes, 'what a waiver left is no note for others').toBe(
      'Arrives by train.',
    );
    await push('w1', { deleted: true });
    await push('w2', { deleted: true });
    expect(noteOf()).toBe('Arrives by train.');
  });

  test('what staff typed on behind a waiver’s line is kept by its updates and its void', async () => {
    await push('w1', { name: 'Ann' });
    const booking = system.bookings.get(uuid);
    if (booking === undefined) throw new Error('the booking is gone');
    system.put({ ...booking, note: `${noteOf()} paid 50 cash` });
    await push('w1', { name: 'Ann', updatedAt: '2027-06-11T08:00:00.000Z' });
    expect(noteOf()).toBe('Arrives by train.\n[waiver w1] updated 2027-06-11 · name: Ann [end] paid 50 cash');
    expect((await read()).booking.notes).toBe('Arrives by train.\npaid 50 cash');
    await push('w1', { deleted: true });
    expect(noteOf()).toBe('Arrives by train.\npaid 50 cash');
  });

  test('a rebooked booking is read, written and voided in its replacement', async () => {
    await push('w1');
    const next = system.rebook(uuid);
    const { booking, warnings } = await read();
    expect(booking.id).toBe(next.uuid);
    expect(booking.guests[0]?.id).not.toBe('900001');
    expect(warnings.map(({ code }) => code)).not.toContain('id_differs');
    await expect(push('w2')).rejects.toMatchObject({ code: 'booking_has_other_id', bookingId: next.uuid });
    await push('w2', { bookingId: next.uuid });
    expect(noteOf(next.uuid)).toContain('[waiver w2]');
    expect(noteOf()).not.toContain('[waiver w2]');
    await push('w1', { bookingId: next.uuid, deleted: true });
    expect([noteOf(), noteOf(next.uuid)].join()).not.toContain('[waiver w1]');
    expect(noteOf(next.uuid)).toContain('[waiver w2]');
  });

  test('a cancelled booking keeps its guests, and is read even without them', async () => {
    const before = (await read()).booking;
    system.put(fareHarborBooking({ status: 'cancelled' }));
    expect((await read()).booking).toEqual({ ...before, status: 'cancelled', statusGroup: 'cancelled' });
    system.put(
      fareHarborBooking({ status: 'cancelled', customers: [], customer_count: 0, availability: null }),
    );
    expect((await read()).booking).toMatchObject({ pax: 0, guests: [], bookedSessions: [] });
  });

  test('circular and endless rebookings are refused', async () => {
    const next = system.rebook(uuid);
    system.put({ ...next, rebooked_to: uuid });
    await expect(read()).rejects.toThrow('in a circle');
    let last = next.uuid;
    system.put({ ...next, rebooked_to: null });
    for (let n = 0; n < 12; n += 1) last = system.rebook(last).uuid;
    await expect(read()).rejects.toThrow('more than 10 times');
  });

  test('each error response has its own error', async () => {
    await expect(read('none')).rejects.toMatchObject({ code: 'booking_not_found' });
    await expect(read('..')).rejects.toMatchObject({ code: 'booking_not_found' });
    await expect(push('w1', { bookingId: '..' })).rejects.toMatchObject({ retry: 'never' });
    await expect(push('w1', { bookingId: 'none' })).rejects.toMatchObject({ retry: 'schedule' });
    const other = { appKey: 'another-app' };
    await expect(fareharbor.fetchBooking(context('read', other), uuid)).rejects.toMatchObject({
      code: 'booking_system_auth_rejected',
    });
    await expect(fareharbor.fetchBooking(context('read', { shortname: 'x' }), uuid)).rejects.toThrow(
      'no company of this shortname',
    );
    system.faults.next('read', { kind: 'status', status: 420, retryAfter: 9 });
    await expect(read()).rejects.toMatchObject({ code: 'booking_system_rate_limited', retryAfterMs: 9000 });
    for (const route of ['read', 'note'] as const) {
      system.faults.next(route, { kind: 'status', status: 403, body: '<h1>403 Forbidden</h1>' });
      await expect(push('w1'), route).rejects.toMatchObject({
        code: 'booking_system_rate_limited',
        upstreamStatus: 403,
        retryAfterMs: undefined,
      });
    }
    await push('w1');
    expect(noteOf()).toContain('[waiver w1]');
  });

  test('a note without a response is in doubt, and is not written twice', async () => {
    system.faults.next('note', { kind: 'reset', when: 'after-headers' });
    await expect(push('w1')).rejects.toMatchObject({ inDoubt: true });
    await push('w1');
    expect(noteOf()?.match(/\[waiver w1\]/g)).toHaveLength(1);
    expect(system.received.filter(({ route }) => route === 'note')).toHaveLength(1);
  });
});
