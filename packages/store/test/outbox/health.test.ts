import { expect, test } from 'vitest';
import { claimAll, claimOne, deliver, install, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

const policy = { pauseAfterMs: 86_400_000, probeIntervalMs: 3_600_000 };

test('the first success of a destination that never failed is there for the operator to see', async () => {
  const { store } = await openOutbox({ webhook: false });
  const [destination] = (await store.destinations.list({ limit: 10 })).items;
  const taken = { destination: destination?.id ?? '', succeeded: true, failures: 0, gone: false };
  await store.outbox.recordHealth([taken], policy);
  const [installation] = await store.installations.list('p1');
  expect(installation?.lastSuccessAt).toBeInstanceOf(Date);
});

test('a person’s pause outlives a success that was in flight when it was made', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const inFlight = await claimOne(store);
  const { destination } = inFlight;
  await store.destinations.pause(destination);
  await deliver(store, inFlight);
  const taken = { destination, succeeded: true, failures: 0, gone: false };
  expect(await store.outbox.recordHealth([taken], policy)).toEqual([]);
  expect(await store.destinations.get(destination)).toMatchObject({ status: 'paused' });
  await store.waivers.create(waiver());
  expect(await claimAll(store)).toEqual([]);
  expect((await store.deliveries.list({ state: 'held' }, { limit: 10 })).items).toHaveLength(1);
});

test('a failure that was in flight does not turn a person’s pause into one that a probe ends', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const { destination } = await claimOne(store);
  await store.destinations.pause(destination);
  const failed = { destination, succeeded: false, failures: 1, gone: true };
  expect(await store.outbox.recordHealth([failed], policy)).toEqual([]);
  expect(await query('select paused_by, next_probe_at from destination')).toEqual([
    { paused_by: 'person', next_probe_at: null },
  ]);
});

test('an operator’s pause is not probed after the booking system was reinstalled', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  const [destination] = (await store.destinations.list({ limit: 1 })).items;
  await store.destinations.pause(destination?.id ?? '');
  await install(store);
  expect(await query('select status, next_probe_at from destination')).toEqual([
    { status: 'paused', next_probe_at: null },
  ]);
  await query(`update destination set paused_by = 'failures', next_probe_at = now() + interval '1 hour'`);
  await install(store);
  expect(await query('select next_probe_at <= now() as is_due from destination')).toEqual([{ is_due: true }]);
});
