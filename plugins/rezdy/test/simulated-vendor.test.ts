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

test('a PUT deletes whatever it omits, and keeps the order that was sent', async () => {
  const { system, ask } = await started();
  const { comments: _left, ...booking } = rezdyBooking;
  const [item] = rezdyBooking.items;
  const { pickupLocation: _gone, ...sail } = item ?? {};
  const participants = [...(item?.participants ?? [])].reverse();
  const sent = { ...booking, items: [{ ...sail, participants }] };
  const { body } = await ask('PUT', `/bookings/${orderNumber}`, sent);
  expect(system.bookings.get(orderNumber)).toEqual(sent);
  expect(body.booking).toEqual(sent);
  await ask('PUT', `/bookings/${orderNumber}`, { internalNotes: 'nothing else' });
  expect(system.bookings.get(orderNumber)).toEqual({ orderNumber, internalNotes: 'nothing else', items: [] });
});

test('unchangeable properties keep their values', async () => {
  const { system, ask } = await started({ unchangeable: ['internalNotes', 'source'] });
  const sent = { ...rezdyBooking, internalNotes: 'new', source: 'API', comments: 'Vegan' };
  await ask('PUT', `/bookings/${orderNumber}`, sent);
  expect(system.bookings.get(orderNumber)).toEqual({ ...rezdyBooking, comments: 'Vegan' });
});
