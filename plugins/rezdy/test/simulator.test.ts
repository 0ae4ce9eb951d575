import { describe, expect, onTestFinished, test } from 'vitest';
import { type RezdyOptions, rezdyBooking, startRezdy } from '../simulator/index.ts';
import { connected } from './connected.ts';

const { orderNumber } = rezdyBooking;

async function started(options: Partial<RezdyOptions> = {}) {
  const system = await startRezdy({ apiKey: 'rezdy-account-key', ...options });
  onTestFinished(() => system.close());
  const held = () => {
    const booking = system.bookings.get(orderNumber);
    if (!booking) throw new Error('the booking is gone');
    return booking;
  };
  return { system, held, ...connected(system.url) };
}

describe('written waivers', () => {
  const alsoChangeable = ['internalNotes'];

  test('fill the fields of their participant with shared answers, with a warning for those that fit none', async () => {
    const { held, push, read } = await started({ alsoChangeable });
    const shared = { name: 'Mele Tupou', dateOfBirth: '1990-05-04', height: 180 };
    const pushed = await push({ id: 'w1', bookingGuestId: '1-1', ...shared });
    expect(pushed).toMatchObject({
      accepted: true,
      warnings: [{ code: 'waiver_partly_written', message: expect.stringContaining('"height"') }],
    });
    expect(await push({ id: 'w2', bookingGuestId: '1-2', name: 'Sione Tupou' })).toEqual({
      accepted: true,
      warnings: [],
    });
    const filled = (place: number, values: Readonly<Record<string, string>>) => ({
      fields: rezdyBooking.items[0]?.participants?.[place]?.fields.map((field) => ({
        ...field,
        ...(values[field.label] !== undefined && { value: values[field.label] }),
      })),
    });
    const participants = [
      filled(0, { 'First Name': 'Mele', 'Last Name': 'Tupou', 'Date of Birth': '1990-05-04' }),
      filled(1, { 'First Name': 'Sione', 'Last Name': 'Tupou' }),
    ];
    const { internalNotes: _lines, ...others } = rezdyBooking;
    expect(held()).toMatchObject({ ...others, items: [{ ...rezdyBooking.items[0], participants }] });
    expect((await read()).booking.guests.map(({ name }) => name)).toEqual(['Mele Tupou', 'Sione Tupou']);
  });

  test('are not accepted if the internal notes cannot be changed, unless a field got a shared answer', async () => {
    const { system, held, push } = await started();
    const notAccepted = {
      accepted: false,
      reason: expect.stringContaining('note the waiver in the order by hand'),
    };
    expect(await push({ bookingGuestId: '1-1' })).toMatchObject(notAccepted);
    expect(held()).toEqual(rezdyBooking);
    const partly = await push({ bookingGuestId: '1-1', name: 'Mele Tupou' });
    expect(partly).toMatchObject({ accepted: true, warnings: [{ path: 'internalNotes' }] });
    // The participant already has the name: nothing of the second version is written.
    const second = { bookingGuestId: '1-1', name: 'Mele Tupou', updatedAt: '2027-06-12T06:00:00.000Z' };
    expect(await push(second)).toMatchObject(notAccepted);
    expect(system.received.filter(({ route }) => route === 'write')).toHaveLength(3);
  });

  test('change no field of the participant who moved up to the place of a removed one', async () => {
    const { system, held, push } = await started({ alsoChangeable });
    const ana = { bookingGuestId: '1-1', name: 'Ana Silva', dateOfBirth: '1990-05-04' };
    await push({ id: 'w1', ...ana });
    await push({ id: 'w2', bookingGuestId: '1-2', name: 'Sione Tupou', dateOfBirth: '2001-02-03' });
    const [item] = held().items;
    system.put({ ...held(), items: [{ ...item, participants: item?.participants?.slice(1) ?? [] }] });
    const before = held();
    const pushed = await push({ id: 'w1', ...ana, updatedAt: '2027-06-12T06:00:00.000Z' });
    expect(pushed).toMatchObject({
      accepted: true,
      warnings: [{ path: 'items[0].participants[0]', message: expect.stringContaining('another name') }],
    });
    expect(held()).toEqual({
      ...before,
      internalNotes: expect.stringContaining('[waiver w1] updated 2027-06-12'),
    });
  });

  test('fill a field again that somebody emptied, although the line is still there', async () => {
    const { system, held, push } = await started({ alsoChangeable });
    await push({ bookingGuestId: '1-1', name: 'Mele Tupou' });
    system.put({ ...held(), items: rezdyBooking.items });
    await push({ bookingGuestId: '1-1', name: 'Mele Tupou' });
    expect(held().items[0]?.participants?.[0]?.fields[1]?.value).toBe('Mele');
  });
});
