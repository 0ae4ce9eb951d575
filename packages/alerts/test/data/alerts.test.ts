import { maxAlertsPerPool } from '@waiver-service/api';
import { expect, test } from 'vitest';
import { TooManyAlerts } from '../../src/data/alerts.ts';
import { openTestStore } from '../setup/open-test-store.ts';

test('an alert’s secrets can be read back, but not in the database, and omitted fields stay unchanged', async () => {
  const { store, query } = await openTestStore();
  const auth = { type: 'header', name: 'x-key', value: 'receiver-key' } as const;
  const created = await store.alerts.create({
    name: 'Operators',
    events: ['delivery.dead', 'fault'],
    pools: ['p1'],
    url: 'https://operators.example/hook',
    auth,
    signing: true,
  });
  const { id, destinationId, target } = created.alert;
  const signingSecrets = [created.signingSecret];
  expect(created.alert).toMatchObject({
    name: 'Operators',
    events: ['delivery.dead', 'fault'],
    pools: ['p1'],
    status: 'active',
    consecutiveFailures: 0,
  });
  expect(target).toEqual({ kind: 'webhook', url: 'https://operators.example/hook', auth, signingSecrets });
  expect(await store.alerts.byDestination(destinationId)).toEqual(created.alert);
  expect(JSON.stringify(await query('select * from alert'))).not.toMatch(/receiver-key|whsec_/);

  const renamed = await store.alerts.update(id, { name: 'Night shift', pools: null });
  expect(renamed?.alert).toMatchObject({ name: 'Night shift', events: ['delivery.dead', 'fault'], target });
  expect(renamed?.alert.pools).toBeNull();
  await store.alerts.update(id, { events: ['fault'], signing: false });
  expect(await store.alerts.get(id)).toMatchObject({
    name: 'Night shift',
    events: ['fault'],
    target: { auth, signingSecrets: [] },
  });
});

test('an alert by mail has an address only', async () => {
  const { store } = await openTestStore();
  const created = await store.alerts.create({
    name: 'Owner',
    events: ['fault'],
    pools: null,
    email: 'owner@example.com',
  });
  const { id, target } = created.alert;
  expect(target).toEqual({ kind: 'email', email: 'owner@example.com' });
  const updated = await store.alerts.update(id, { email: 'other@example.com' });
  expect(updated?.alert.target).toEqual({ kind: 'email', email: 'other@example.com' });
});

test('alerts of one pool keep no other pool from its own, also when their pools change', async () => {
  const { store } = await openTestStore();
  const alert = { name: 'A', events: ['fault'], email: 'a@example.com' } as const;
  const createFor = (...pools: string[]) => store.alerts.create({ ...alert, pools });
  const ids: string[] = [];
  for (let count = 0; count < maxAlertsPerPool; count += 1) ids.push((await createFor('loud')).alert.id);
  await expect(createFor('loud')).rejects.toBeInstanceOf(TooManyAlerts);
  await expect(createFor('quiet', 'loud')).rejects.toMatchObject({ pool: 'loud' });
  const quiet = await createFor('quiet');
  await expect(store.alerts.update(quiet.alert.id, { pools: ['loud'] })).rejects.toBeInstanceOf(
    TooManyAlerts,
  );
  // One of the pool's own stays as it is.
  await store.alerts.update(ids[0] ?? '', { pools: ['loud'], name: 'B' });
  await store.alerts.create({ ...alert, pools: null });
});
