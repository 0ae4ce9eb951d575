import { connect } from '@waiver-service/contract-suite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bokunBooking, type SimulatedBokun, startBokun } from '../simulator/index.ts';
import bokun from '../src/index.ts';

const keys = { accessKey: 'access-key-1', secretKey: 'secret-key-1' };
const { confirmationCode } = bokunBooking;
let system: SimulatedBokun;
beforeEach(async () => {
  system = await startBokun(keys);
});
afterEach(() => system.close());

const connected = (account: object = {}, baseUrl = system.url) =>
  connect(bokun, {
    baseUrl,
    account: { apiKey: keys.accessKey, secretKey: keys.secretKey, timeZone: 'Atlantic/Azores', ...account },
  });
const context = (account?: object, baseUrl?: string) => connected(account, baseUrl).contextFor();
const read = (id = confirmationCode, account?: object, baseUrl?: string) =>
  connected(account, baseUrl).read(id);

describe('over real HTTP', () => {
  test('an id with any characters is signed as it is sent', async () => {
    for (const id of ['a/b', 'a b?c=d#e', 'ü 李', "!'()*"]) {
      await expect(read(id), id).rejects.toMatchObject({ code: 'booking_not_found', upstreamStatus: 404 });
    }
    await expect(read('..')).rejects.toThrow('is no booking id');
  });

  test('the secret key is never sent', async () => {
    await read();
    expect(JSON.stringify(system.received.map(({ path, rawHeaders }) => [path, rawHeaders]))).not.toContain(
      keys.secretKey,
    );
  });

  test('a key without the permission is told so, and the redirect is not followed', async () => {
    const strict = await startBokun({ ...keys, mayRead: false });
    await expect(read(confirmationCode, {}, strict.url)).rejects.toMatchObject({
      code: 'booking_system_auth_rejected',
      upstreamStatus: 303,
      message: expect.stringContaining('lacks the permission'),
    });
    expect(strict.received).toHaveLength(1);
    await strict.close();
  });
});

describe('the bookings of a period, over real HTTP', () => {
  const activityAt = (bookingNumber: number, day: number, startTime: string) => ({
    ...bokunBooking,
    confirmationCode: `SEA-${bookingNumber}`,
    bookingId: bookingNumber,
    activityBookings: bokunBooking.activityBookings.map((activity) => ({
      ...activity,
      date: Date.UTC(2027, 5, day),
      startTime,
    })),
  });
  const list = async (timeZone: string, from: string, until: string, limit = 50) => {
    const codes: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await bokun.listBookings?.(context({ timeZone }), { from, until, limit, cursor });
      codes.push(...(page?.bookings.map(({ bookingId: code }) => code) ?? []));
      cursor = page?.next;
    } while (cursor !== undefined);
    return codes;
  };

  test('are those that start in it, wherever the vendor is', async () => {
    for (const [number, day, startTime] of [
      [1, 11, '23:59'],
      [2, 12, '00:00'],
      [3, 12, '23:59'],
      [4, 13, '00:00'],
    ] as const) {
      system.put(activityAt(number, day, startTime));
    }
    for (const [timeZone, from, until] of [
      ['Pacific/Kiritimati', '2027-06-11T10:00:00.000Z', '2027-06-12T10:00:00.000Z'],
      ['Europe/Lisbon', '2027-06-11T23:00:00.000Z', '2027-06-12T23:00:00.000Z'],
      ['Pacific/Pago_Pago', '2027-06-12T11:00:00.000Z', '2027-06-13T11:00:00.000Z'],
    ] as const) {
      expect(await list(timeZone, from, until), timeZone).toEqual(
        expect.arrayContaining(['SEA-2', 'SEA-3', confirmationCode]),
      );
    }
  });

  test('an account whose key may not search is refused', async () => {
    const strict = await startBokun({ ...keys, mayRead: false });
    await expect(bokun.checkAccess?.(context({}, strict.url))).rejects.toMatchObject({
      code: 'booking_system_auth_rejected',
    });
    await strict.close();
  });
});
