import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BookeoBooking, bookeoBooking, type SimulatedBookeo, startBookeo } from '../simulator/index.ts';

const keys = { apiKey: 'account-key', secretKey: 'secret-key' };
const { bookingNumber, eventId, startTime, endTime, productId, participants, options, externalRef } =
  bookeoBooking;
const quietly = 'notifyUsers=false&notifyCustomer=false&mode=backend';
const whole = { eventId, productId, participants, options, externalRef };

let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo(keys);
});
afterEach(() => system.close());

const put = async (body: unknown, query = quietly, number = bookingNumber) => {
  const answer = await fetch(`${system.url}/bookings/${number}?${query}`, {
    method: 'PUT',
    headers: { 'X-Bookeo-apiKey': keys.apiKey, 'X-Bookeo-secretKey': keys.secretKey },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return [answer.status, await answer.json()];
};
const now = () => system.bookings.get(bookingNumber);

describe('a booking that is changed', () => {
  test('is unchanged if all of it is sent; fields that Bookeo maintains are ignored', async () => {
    expect(await put({ ...whole, title: 'X', canceled: true, price: null })).toEqual([200, {}]);
    expect(now()).toEqual(bookeoBooking);
    expect(system.notifications).toEqual([]);
  });

  test('loses what is omitted: options, references, the people in its places', async () => {
    const { numbers, details } = participants;
    await put({ eventId, productId, participants: { numbers, details: details.slice(0, 1) } });
    expect(now()).not.toHaveProperty('options');
    expect(now()).not.toHaveProperty('externalRef');
    expect(now()?.participants.details.map(({ personId }) => personId)).toEqual([
      'PSELF',
      'PUNKNOWN',
      'PUNKNOWN',
    ]);
  });

  test('notifies everyone by mail unless told otherwise', async () => {
    await put(whole, 'mode=backend');
    await put(whole, 'mode=backend&notifyUsers=false&notifyCustomer=true');
    expect(system.notifications).toEqual(['notifyUsers', 'notifyCustomer', 'notifyCustomer']);
  });

  test('gets other resources and another end if they are omitted, and another price without its promotion', async () => {
    const flexible: BookeoBooking = {
      ...bookeoBooking,
      resources: [{ id: 'R1' }],
      promotionName: 'Early bird',
    };
    system.put(flexible);
    await put({ startTime, productId, participants });
    expect(now()).toMatchObject({ endTime: startTime, resources: [{ id: 'assigned' }] });
    expect(now()?.price).not.toEqual(bookeoBooking.price);
    system.put(flexible);
    await put({ startTime, endTime, productId, participants, resources: [{ id: 'R1' }] });
    expect(now()).toMatchObject({ endTime, resources: [{ id: 'R1' }] });
  });

  test.each([
    ['{', quietly, 'the body is not a booking'],
    [whole, 'notifyUsers=false', 'it is too late'],
    [{ ...whole, productId: undefined }, quietly, 'productId'],
    [{ ...whole, customer: {} }, quietly, 'new booking only'],
    [{ ...whole, startTime }, quietly, 'either eventId or startTime'],
    [{ ...whole, eventId: undefined }, quietly, 'either eventId or startTime'],
    [{ ...whole, participants: {} }, quietly, 'numbers'],
  ])('is refused: %j', async (body, query, message) => {
    expect(await put(body, query)).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ]);
    expect(now()).toEqual(bookeoBooking);
  });
});
