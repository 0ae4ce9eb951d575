import { bookeoBooking, startBookeo } from '@waiver-service/plugin-bookeo/simulator';
import { startXola, xolaOrder } from '@waiver-service/plugin-xola/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectedHost, startConnectedHost } from '../harness/connected-host.ts';

const keys = { apiKey: 'account-key', secretKey: 'application-key' };
let host: ConnectedHost;
let bookeo: Awaited<ReturnType<typeof startBookeo>>;
let xola: Awaited<ReturnType<typeof startXola>>;

beforeAll(async () => {
  const [item, ...items] = xolaOrder.items;
  const guests = [{ id: 'g1', demographic: { label: 'Children' }, ticketCode: 'K1' }];
  [host, bookeo, xola] = await Promise.all([
    startConnectedHost(),
    startBookeo(keys),
    startXola({
      apiKey: keys.apiKey,
      orders: item ? [{ ...xolaOrder, items: [{ ...item, guests }, ...items] }] : [],
    }),
  ]);
  const systems = '/v1/admin/booking-systems';
  const settings = { secretKey: keys.secretKey };
  await host.admin('PUT', `${systems}/bookeo`, { baseUrl: bookeo.url, settings });
  await host.admin('PUT', `${systems}/xola`, { baseUrl: xola.url });
});
afterAll(async () => {
  await host.close();
  await bookeo.close();
  await xola.close();
});

async function prefillIn(
  pool: string,
  prefillProperties: readonly string[] | undefined,
  installName: string,
  id: string,
) {
  const app = await host.makePool(pool, prefillProperties === undefined ? {} : { prefillProperties });
  await host.admin('PUT', `/v1/admin/pools/${pool}/installations/${installName}`, {
    accountId: 'a1',
    apiKey: keys.apiKey,
  });
  const { body } = await app('GET', `/v1/pools/${pool}/bookings/${id}`);
  return body.guests.map(({ prefill }: { prefill: unknown }) => prefill);
}

const zoe = { name: 'Zoë Bäcker', email: 'zoe@example.com', phoneNumber: '+43 512 123456' };

test('Bookeo’s guest fields are pre-filled for the pool that lists them, and for no other', async () => {
  const { bookingNumber } = bookeoBooking;
  const listed = ['dateOfBirth', 'participantType', 'Shoe size'];
  expect(await prefillIn('listing', listed, 'bookeo', bookingNumber)).toEqual([
    { ...zoe, participantType: 'adult' },
    { participantType: 'adult' },
    { name: 'Ægir Þórsson', participantType: 'child', dateOfBirth: '2015-03-02', 'Shoe size': '34' },
  ]);
  expect(await prefillIn('not-listing', undefined, 'bookeo', bookingNumber)).toEqual([
    zoe,
    {},
    { name: 'Ægir Þórsson' },
  ]);
});

test('Xola’s guest fields are pre-filled for the pool that lists them, and for no other', async () => {
  const listed = ['participantType', 'ticketCode'];
  expect(await prefillIn('listing-xola', listed, 'xola', xolaOrder.id)).toEqual([
    { participantType: 'child', ticketCode: 'K1' },
  ]);
  expect(await prefillIn('not-listing-xola', undefined, 'xola', xolaOrder.id)).toEqual([{}]);
});
