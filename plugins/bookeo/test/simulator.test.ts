import { connect } from '@waiver-service/contract-suite';
import type { Waiver } from '@waiver-service/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookeoBooking, type SimulatedBookeo, startBookeo } from '../simulator/index.ts';
import bookeo from '../src/index.ts';

const keys = { apiKey: 'account-key-1', secretKey: 'secret-key-1' };
const { bookingNumber, customerId } = bookeoBooking;
let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo(keys);
});
afterEach(() => system.close());

const connected = (account: object = {}) =>
  connect(bookeo, {
    baseUrl: system.url,
    settings: { secretKey: keys.secretKey },
    account: { apiKey: keys.apiKey, ...account },
  });
const push = (changes: Partial<Waiver> = {}, account: object = {}) =>
  connected(account).push({
    bookingId: bookingNumber,
    bookingGuestId: 'Cadults-1',
    updatedAt: '2027-06-10T08:00:00.000Z',
    ...changes,
  });
const waiversOf = (linkedPersonId?: string) =>
  system.person(customerId, linkedPersonId)?.customFields?.find(({ name }) => name === 'Waiver')?.value;

describe('over real HTTP', () => {
  test('without the custom field, the error says which one to create', async () => {
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toThrow(
      /custom field "Haftung".*there is no customer custom field/,
    );
    await expect(push({}, { waiverField: 'Haftung' })).rejects.toMatchObject({ retry: 'three-attempts' });
  });

  test('the field is found by id and by name, case-insensitively', async () => {
    await push({ id: 'w1' }, { waiverField: 'f1' });
    await push({ id: 'w2' }, { waiverField: 'WAIVER' });
    expect(waiversOf()?.split('\n')).toHaveLength(3);
  });
});

describe('webhooks', () => {
  const url = 'https://a.example/?key=1';
  const register = async (to: string, ...formerUrls: string[]) =>
    bookeo.webhooks?.register(connected().contextFor(), { url: to, formerUrls });
  const unregister = async (...urls: string[]) =>
    bookeo.webhooks?.unregister(connected().contextFor(), { urls });
  const registered = () => system.webhooks.all.map(({ type, url: to }) => `${type} ${to}`).sort();
  const all = (to: string) => [`created ${to}`, `deleted ${to}`, `updated ${to}`];
  const create = (hook: object) =>
    fetch(`${system.url}/webhooks`, {
      method: 'POST',
      headers: { 'x-bookeo-apikey': keys.apiKey, 'x-bookeo-secretkey': keys.secretKey },
      body: JSON.stringify(hook),
    });

  test('a webhook of somebody else is not replaced, and the message does not show their secret', async () => {
    const foreign = { url: 'https://other.example/hook?secret=s3cret', domain: 'bookings', type: 'deleted' };
    await create(foreign);
    const refusal = register(url);
    await expect(refusal).rejects.toThrow('(deleted) to https://other.example/hook,');
    await expect(refusal).rejects.not.toThrow('s3cret');
    await unregister(url);
    expect(registered()).toEqual([`deleted ${foreign.url}`]);
  });

  test('a list that cannot be read is not an empty one: nothing is registered or removed', async () => {
    const foreign = { url: 'https://other.example/hook', domain: 'bookings', type: 'deleted' };
    await create(foreign);
    for (const body of [
      {},
      [],
      { data: {} },
      { data: ['h1'] },
      { data: [{ domain: 'bookings' }] },
      'later',
    ]) {
      for (const call of [() => register(url), () => unregister(url)]) {
        system.faults.next('webhooks', { kind: 'status', status: 200, body });
        await expect(call(), JSON.stringify(body)).rejects.toThrow('without a list of webhooks');
      }
    }
    expect(registered()).toEqual([`deleted ${foreign.url}`]);
  });

  test('a working webhook that does not show its address is somebody else’s', async () => {
    for (const to of [undefined, null, '']) {
      const data = [{ id: 'h1', url: to, domain: 'bookings', type: 'deleted' }];
      system.faults.next('webhooks', { kind: 'status', status: 200, body: { data } });
      await expect(register(url)).rejects.toThrow('(deleted) to an address that it does not show,');
    }
    expect(registered()).toEqual([]);
  });

  test('a webhook that Bookeo blocked is replaced, also somebody else’s', async () => {
    await create({ url: 'https://other.example/', domain: 'bookings', type: 'deleted' });
    await create({ url, domain: 'bookings', type: 'created' });
    for (const { id } of [...system.webhooks.all]) system.webhooks.block(id);
    await register(url);
    expect(registered()).toEqual(all(url));
    expect(system.webhooks.all.filter(({ blockedTime }) => blockedTime !== undefined)).toEqual([]);
  });

  test('a refused list, a refused or a lost webhook and a refused removal are failures', async () => {
    const refuse = { kind: 'status', status: 503 } as const;
    const listing = { kind: 'latency', milliseconds: 1 } as const;
    system.faults.next('webhooks', refuse);
    await expect(register(url)).rejects.toMatchObject({ upstreamStatus: 503 });
    for (const fault of [listing, refuse]) system.faults.next('webhooks', fault);
    await expect(register(url)).rejects.toMatchObject({ upstreamStatus: 503 });
    const taken = { kind: 'status', status: 201, body: {} } as const;
    for (const fault of [listing, taken, taken, taken]) system.faults.next('webhooks', fault);
    await expect(register(url)).rejects.toThrow('does not list them: created, updated, deleted');
    await register(url);
    for (const fault of [listing, refuse]) system.faults.next('webhooks', fault);
    await expect(unregister(url)).rejects.toMatchObject({ upstreamStatus: 503 });
    // Already removed.
    const gone = { kind: 'status', status: 404 } as const;
    for (const fault of [listing, gone, gone, gone]) system.faults.next('webhooks', fault);
    await unregister(url);
  });
});
