import { connect } from '@waiver-service/contract-suite';
import { Reading } from '@waiver-service/plugin-kit';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type CheckfrontGuest,
  type CheckfrontOptions,
  checkfrontBooking,
  type SimulatedCheckfront,
  startCheckfront,
} from '../simulator/index.ts';
import checkfront from '../src/index.ts';
import { readGuests } from '../src/read.ts';

const keys = { apiKey: 'api-key-1', apiSecret: 'api:secret-1' };
const { code } = checkfrontBooking();
let system: SimulatedCheckfront;
afterEach(() => system.close());

const guestsNamed = (...names: readonly string[]): CheckfrontGuest[] =>
  names.map((firstName, index) => ({ uuid: `guest-${index + 1}`, firstName, lastName: '', email: '' }));
async function start(options: Partial<CheckfrontOptions> = {}, changes = {}) {
  system = await startCheckfront({
    ...keys,
    bookings: [checkfrontBooking({ guests: guestsNamed('Ida', 'Bo', ''), ...changes })],
    ...options,
  });
}
const read = (id = code, account: object = { apiV4: true }) =>
  connect(checkfront, { baseUrl: system.url, account: { ...keys, ...account } }).read(id);
const requested = () => system.received.map(({ path }) => path);

describe('the guests of a booking, over real HTTP', () => {
  test('are not asked for unless the account has API v4', async () => {
    await start();
    for (const account of [{}, { apiV4: false }]) {
      expect((await read(code, account)).booking.guests).toEqual([]);
    }
    expect(requested().filter((path) => path.includes('/4.0/'))).toEqual([]);
  });

  test('may fill several pages, which are never requested at another host', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Guest ${index + 1}`);
    await start({ guestsPerPage: 3 }, { guests: guestsNamed(...names) });
    const { booking, warnings } = await read();
    expect(booking.guests.map(({ name }) => name)).toEqual(names);
    expect(requested().slice(1)).toEqual([
      `/api/4.0/bookings/${code}/guests/`,
      `/api/4.0/bookings/${code}/guests/?offset=3`,
      `/api/4.0/bookings/${code}/guests/?offset=6`,
    ]);
    expect(booking.pax, 'more guests than people').toBe(3);
    expect(warnings.find(({ path }) => path === 'guests')).toMatchObject({ code: 'count_disagrees' });
  });

  test('fill 20 pages at most', async () => {
    await start({ guestsPerPage: 1 }, { guests: guestsNamed(...Array<string>(20).fill('Ida')) });
    expect((await read()).booking.guests).toHaveLength(20);
    system.put(checkfrontBooking({ guests: guestsNamed(...Array<string>(21).fill('Ida')) }));
    await expect(read()).rejects.toMatchObject({
      code: 'invalid_booking_response',
      message: expect.stringContaining('20 pages'),
    });
  });

  test('of a booking that API v4 does not know are an error that names the setting, unless it is cancelled', async () => {
    await start({ hasApiV4: false });
    await expect(read()).rejects.toMatchObject({
      code: 'booking_system_error',
      upstreamStatus: 404,
      message: expect.stringContaining('without apiV4'),
    });
    system.put(checkfrontBooking({ status: 'STOP' }));
    expect((await read()).booking).toMatchObject({ statusGroup: 'cancelled', guests: [] });
  });

  test.each([
    [403, 'booking_system_auth_rejected'],
    [429, 'booking_system_rate_limited'],
    [500, 'booking_system_error'],
    [202, 'invalid_booking_response'],
  ])('fail with status %i as the booking would', async (status, error) => {
    await start();
    system.faults.next('guests', { kind: 'status', status });
    await expect(read()).rejects.toMatchObject({
      code: error,
      message: expect.stringContaining('Checkfront’s API v4'),
    });
  });
});

describe('a guest', () => {
  const reading = () => new Reading();

  test('has the fields of the form that each account has, and no other', () => {
    const guest = { uuid: 9, firstName: 'Ida', lastName: 'Lund', email: ' ', waiver: 'signed', id: 4 };
    expect(readGuests(reading(), [guest])).toEqual([
      { id: '9', name: 'Ida Lund', email: undefined, phoneNumber: undefined },
    ]);
  });

  test('is an object', () => {
    const strict = reading();
    readGuests(strict, [{ uuid: 'a' }, 'Ida']);
    expect(() => strict.throwIfRefused()).toThrow('guests[1]');
  });
});
