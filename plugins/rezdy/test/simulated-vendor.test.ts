import { expect, onTestFinished, test } from 'vitest';
import { type RezdyOptions, rezdyBooking, startRezdy } from '../simulator/index.ts';

const { orderNumber } = rezdyBooking;

async function started(options: Partial<RezdyOptions> = {}) {
  const system = await startRezdy({ apiKey: 'key-1', ...options });
  onTestFinished(() => system.close());
  async function ask(method: string, path: string, body?: unknown, apiKey = 'key-1') {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${system.url}${path}`, { method, headers: { apiKey }, ...sent });
    return { status: response.status, body: Object(await response.json()) };
  }
  return { system, ask };
}

test('an error has status 200, and only the envelope identifies it', async () => {
  const { ask } = await started();
  const answers = [
    await ask('GET', '/bookings/R0'),
    await ask('GET', `/bookings/${orderNumber}`, undefined, 'wrong'),
    await ask('GET', `/bookings/${orderNumber}`),
    await ask('GET', `/bookings/${orderNumber}?apiKey=key-1`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.map(({ body }) => body.requestStatus.success)).toEqual([false, false, true, true]);
  expect(answers[0]?.body.requestStatus.error.errorCode).toBe('24');
  expect(answers[2]?.body.booking).toEqual(rezdyBooking);
});

test('a PUT changes what Rezdy lists as changeable, in the order that was sent, and nothing else', async () => {
  const { system, ask } = await started();
  const [item] = rezdyBooking.items;
  const [first, second] = item?.participants ?? [];
  const changes = {
    status: 'CANCELLED',
    customer: { firstName: 'Ana' },
    resellerComments: 'On the deck',
    resellerReference: 'AG-1',
    fields: [{ label: 'Hotel', value: 'Lakeview' }],
  };
  const pickupLocation = { locationName: 'Station', pickupTime: '16:45' };
  const participants = [second, first];
  const sent = {
    ...rezdyBooking,
    ...changes,
    items: [{ ...item, amount: 1, participants, pickupLocation: { ...pickupLocation, pickupTime: '9:00' } }],
    internalNotes: 'new',
    comments: 'Vegan',
    payments: [],
    source: 'API',
  };
  const { body } = await ask('PUT', `/bookings/${orderNumber}`, sent);
  const expected = { ...rezdyBooking, ...changes, items: [{ ...item, participants, pickupLocation }] };
  expect(system.bookings.get(orderNumber)).toEqual(expected);
  expect(body.booking).toEqual(expected);
});

test('a PUT deletes whatever of that it omits', async () => {
  const { system, ask } = await started();
  const [item] = rezdyBooking.items;
  const { pickupLocation: _location, ...sail } = item ?? {};
  const [first] = item?.participants ?? [];
  const { customer: _customer, ...booking } = rezdyBooking;
  await ask('PUT', `/bookings/${orderNumber}`, { ...booking, items: [{ ...sail, participants: [first] }] });
  const { customer: _gone, ...left } = rezdyBooking;
  expect(system.bookings.get(orderNumber)).toEqual({ ...left, items: [{ ...sail, participants: [first] }] });
  await ask('PUT', `/bookings/${orderNumber}`, { internalNotes: 'nothing else' });
  const { status, resellerComments, resellerReference, ...never } = left;
  expect([status, resellerComments, resellerReference]).not.toContain(undefined);
  expect(system.bookings.get(orderNumber)).toEqual({ ...never, fields: [{ label: 'Hotel' }], items: [] });
});

test('a PUT can be made to change more than the list', async () => {
  const { system, ask } = await started({ alsoChangeable: ['internalNotes', 'comments'] });
  const { comments: _comments, ...booking } = rezdyBooking;
  await ask('PUT', `/bookings/${orderNumber}`, { ...booking, internalNotes: 'new', source: 'API' });
  expect(system.bookings.get(orderNumber)).toEqual({ ...booking, internalNotes: 'new' });
});
