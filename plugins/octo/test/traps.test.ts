import { InvalidBookingResponse } from '@waiver-service/core';
import { expect, test } from 'vitest';
import plugin from '../src/index.ts';
import { waiverOf } from './connected.ts';
import { bookingId, fixture } from './fixtures.ts';

const nobody = async () => {
  throw new Error('a call was made');
};
function contextWith(body?: unknown) {
  const get = body === undefined ? nobody : async () => ({ status: 200, headers: {}, data: body });
  return {
    pool: 'pool-1',
    http: { get, delete: nobody, post: nobody, put: nobody, patch: nobody },
    settings: plugin.settingsSchema.parse({}),
    account: { accountId: 'a', apiKey: 'k' },
    signal: new AbortController().signal,
  };
}
const read = (body: unknown) => plugin.fetchBooking(contextWith(body), bookingId);

test('an open-dated booking is refused in words that an operator can act on', async () => {
  for (const availability of [null, undefined, {}, { localDateTimeStart: null }]) {
    const reading = read(fixture('open-dated', { availability }));
    await expect(reading).rejects.toThrow(/open-dated.*choose a date/);
    await expect(reading).rejects.toBeInstanceOf(InvalidBookingResponse);
  }
});

test('a time without an offset, in a product without a time zone, is not guessed', async () => {
  const product = { internalName: 'Kayak tour' };
  await expect(read(fixture('times-without-an-offset', { product }))).rejects.toThrow(
    /availability\.localDateTimeStart .* no time zone/,
  );
});

test('each required field that is missing is named', async () => {
  const missing = { uuid: undefined, status: null, unitItems: undefined };
  await expect(read(fixture('two-adults-with-names', missing))).rejects.toMatchObject({
    issues: [{ path: 'unitItems' }, { path: 'uuid' }, { path: 'status' }],
  });
  await expect(read(fixture('two-adults-with-names', { unitItems: ['adult'] }))).rejects.toThrow(
    'unitItems[0]',
  );
});

test('a booking without a contact or a product is read, with warnings', async () => {
  const bare = fixture('two-adults-with-names', { contact: null, product: null, unitItems: [{ uuid: 'u' }] });
  const { booking, warnings } = await read(bare);
  expect(booking).toMatchObject({ contact: { name: '' }, pax: 1, guests: [{ id: 'u' }] });
  expect(warnings.map(({ code }) => code).sort()).toEqual([
    'contact_incomplete',
    'guest_without_name',
    'session_incomplete',
  ]);
});

test('a pax count that is no count is refused, one in a text is forgiven', async () => {
  const withPax = (paxCount: unknown) =>
    fixture('family-of-four', { unitItems: [{ uuid: 'u', unit: { restrictions: { paxCount } } }] });
  expect((await read(withPax('4'))).booking.pax).toBe(4);
  await expect(read(withPax(-1))).rejects.toThrow('paxCount');
});

test('another booking than the one asked for is read, and said', async () => {
  const { warnings } = await read(fixture('two-adults-with-names', { uuid: 'another' }));
  expect(warnings).toMatchObject([{ code: 'id_differs' }]);
});

test('guests are not shown what the notes say of other guests’ waivers', async () => {
  const notes = '[waiver w1] signed 2027-06-11 · name: Tiago Reis\nArrives by bus';
  expect((await read(fixture('two-adults-with-names', { notes }))).booking.notes).toBe('Arrives by bus');
});

test('an id that a URL cannot carry is refused before any call', async () => {
  for (const id of ['', '.', '..', '\ud800']) {
    await expect(plugin.fetchBooking(contextWith(), id)).rejects.toMatchObject({ code: 'booking_not_found' });
    const written = plugin.pushWaiver?.(contextWith(), waiverOf({ bookingId: id }));
    await expect(written).rejects.toMatchObject({ code: 'waiver_rejected', retry: 'never' });
  }
});

test('a unit item without a uuid could not be kept, so nothing is written', async () => {
  const body = fixture('two-adults-with-names', { unitItems: [{ unitId: 'adult' }] });
  await expect(plugin.pushWaiver?.(contextWith(body), waiverOf())).rejects.toThrow(
    'unitItems[0] has no uuid: writing would remove it',
  );
});

test('the settings become headers, and what could break a header is refused', () => {
  const headersOf = (settings: object) =>
    plugin.authHeaders({
      settings: plugin.settingsSchema.parse(settings),
      account: { accountId: 'a', apiKey: 'k' },
      purpose: 'read',
    });
  expect(headersOf({})).toEqual({ Authorization: 'Bearer k', 'Octo-Capabilities': '' });
  expect(headersOf({ capabilities: ['octo/pricing', 'octo/waivers'], waivers: true, env: 'live' })).toEqual({
    Authorization: 'Bearer k',
    'Octo-Capabilities': 'octo/pricing, octo/waivers',
    'Octo-Env': 'live',
  });
  for (const settings of [
    { capabilities: ['a\r\nb'] },
    { capabilities: Array(51).fill('a') },
    { env: 'dev' },
  ]) {
    expect(plugin.settingsSchema.safeParse(settings).success).toBe(false);
  }
});

test('a call that is not one of the vendor’s is refused', () => {
  const wrong = [
    null,
    'x',
    [],
    {},
    { booking: {} },
    { webhook: { event: 'booking_update' } },
    { id: '1', pool: 'p' },
  ];
  for (const body of wrong) {
    expect(() => plugin.parseInbound?.({ headers: {}, query: {}, body })).toThrow('booking.uuid');
  }
});
