import { connect } from '@waiver-service/contract-suite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SimulatedBookeo, startBookeo } from '../simulator/index.ts';
import bookeo from '../src/index.ts';

const keys = { apiKey: 'account-key-1', secretKey: 'secret-key-1' };
const url = 'https://a.example/?key=1';
let system: SimulatedBookeo;
beforeEach(async () => {
  system = await startBookeo(keys);
});
afterEach(() => system.close());

const context = () =>
  connect(bookeo, {
    baseUrl: system.url,
    settings: { secretKey: keys.secretKey },
    account: { apiKey: keys.apiKey },
  }).contextFor();
const register = async (to: string, ...formerUrls: string[]) =>
  bookeo.webhooks?.register(context(), { url: to, formerUrls });
const unregister = async (...urls: string[]) => bookeo.webhooks?.unregister(context(), { urls });
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
  for (const body of [{}, [], { data: {} }, { data: ['h1'] }, { data: [{ domain: 'bookings' }] }, 'later']) {
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
