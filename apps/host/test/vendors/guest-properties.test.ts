import { octoBooking, startOcto } from '@waiver-service/plugin-octo/simulator';
import { rezdyBooking, startRezdy } from '@waiver-service/plugin-rezdy/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountKey, type ConnectedHost, startConnectedHost } from '../harness/connected-host.ts';

let host: ConnectedHost;
beforeAll(async () => {
  host = await startConnectedHost();
});
afterAll(() => host.close());

/** The pre-fill of each guest's waiver, in a pool that lists these properties. */
async function prefilled(
  installName: string,
  system: { readonly url: string; close(): Promise<void> },
  bookingId: string,
  prefillProperties: readonly string[],
) {
  try {
    const app = await host.makePool(installName, { prefillProperties });
    await host.connect(installName, system, installName);
    const { status, body } = await app('GET', `/v1/pools/${installName}/bookings/${bookingId}`);
    expect(status).toBe(200);
    return body.guests.map(({ prefill }: { readonly prefill: unknown }) => prefill);
  } finally {
    await system.close();
  }
}

test('Rezdy’s participant fields are pre-filled if the pool lists their label, and only then', async () => {
  const [item] = rezdyBooking.items;
  const fields = [
    { label: 'First Name', value: 'Mele' },
    { label: 'Date of Birth', value: '1990-05-04' },
    { label: 'Shoe size', value: '39' },
  ];
  const items = [{ ...item, participants: [{ fields }, { fields: [{ label: 'Date of Birth' }] }] }];
  const bookings = [{ ...rezdyBooking, items }];
  const system = await startRezdy({ apiKey: accountKey, bookings });
  const properties = ['Date of Birth', 'participantType'];
  expect(await prefilled('rezdy', system, rezdyBooking.orderNumber, properties)).toEqual([
    { name: 'Mele', 'Date of Birth': '1990-05-04', participantType: 'adult' },
    { participantType: 'adult' },
  ]);
});

test('an OCTO system’s guest fields are pre-filled if the pool lists them, and only then', async () => {
  const { product: _product, ...booking } = octoBooking;
  const unitItems = octoBooking.unitItems.map(({ unit: _unit, ...item }) => ({
    ...item,
    questionAnswers: [{ questionId: 'q-1', value: 'nuts', question: { label: 'Allergies' } }],
  }));
  const units = [{ id: 'adult', type: 'YOUTH', restrictions: { paxCount: 1 } }];
  const products = [
    { id: booking.productId, internalName: 'Kayak tour', options: [{ id: 'DEFAULT', units }] },
  ];
  const system = await startOcto({
    apiKey: accountKey,
    bookings: [{ ...booking, unitItems }],
    products,
  });
  const guest = { Allergies: 'nuts', participantType: 'YOUTH' };
  expect(await prefilled('octo', system, booking.uuid, ['Allergies', 'participantType'])).toEqual([
    guest,
    guest,
  ]);
});
