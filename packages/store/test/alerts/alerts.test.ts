import { expect, test } from 'vitest';
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
  if (created === undefined) throw new Error('too many alerts');
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
  if (created === undefined) throw new Error('too many alerts');
  const { id, target } = created.alert;
  expect(target).toEqual({ kind: 'email', email: 'owner@example.com' });
  const updated = await store.alerts.update(id, { email: 'other@example.com' });
  expect(updated?.alert.target).toEqual({ kind: 'email', email: 'other@example.com' });
});
