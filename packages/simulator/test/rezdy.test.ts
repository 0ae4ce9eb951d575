import { expect, onTestFinished, test } from 'vitest';
import { rezdyBooking, startRezdy } from '../src/index.ts';

const { orderNumber } = rezdyBooking;

async function started() {
  const system = await startRezdy({ apiKey: 'key-1' });
  onTestFinished(() => system.close());
  async function ask(method: string, path: string, body?: unknown, apiKey = 'key-1') {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${system.url}${path}`, { method, headers: { apiKey }, ...sent });
    return { status: response.status, body: Object(await response.json()) };
  }
  return { system, ask };
}

test('a refusal comes with status 200, and only the envelope tells', async () => {
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

test('a PUT replaces the participants as a whole: those it leaves out are gone', async () => {
  const { system, ask } = await started();
  await ask('PUT', `/bookings/${orderNumber}`, { internalNotes: 'new' });
  expect(system.bookings.get(orderNumber)).toEqual({ ...rezdyBooking, internalNotes: 'new' });
  const [item] = rezdyBooking.items;
  const one = { fields: [{ label: 'Full Name', value: 'Sione' }] };
  await ask('PUT', `/bookings/${orderNumber}`, { items: [{ ...item, participants: [one] }] });
  expect(system.bookings.get(orderNumber)?.items[0]?.participants).toEqual([one]);
});
