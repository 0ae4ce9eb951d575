import { CannotDecrypt, MalformedCursor } from '@waiver-service/database';
import { expect, test } from 'vitest';
import { maxWebhooksPerPool, TooManyWebhooks, type WebhookSettings } from '../../src/index.ts';
import { openWithPool } from '../setup/open-test-store.ts';

const settings: WebhookSettings = {
  url: 'https://receiver.example/hook',
  auth: { type: 'header', name: 'X-Key', value: 'planted-header-value' },
  properties: ['name'],
  signing: true,
};

async function openWithPools() {
  const opened = await openWithPool();
  await opened.store.pools.put({ id: 'p2', name: 'Two' });
  return opened;
}

test('credentials and signing secrets can be read back, but not in the database', async () => {
  const { store, query } = await openWithPools();
  const { endpoint, signingSecret } = await store.webhooks.create('p1', settings);
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await store.webhooks.get('p1', endpoint.id)).toEqual(endpoint);
  expect(endpoint).toMatchObject({
    pool: 'p1',
    url: settings.url,
    auth: settings.auth,
    signingSecrets: [signingSecret],
  });
  expect(await store.webhooks.byDestination(endpoint.destinationId)).toEqual(endpoint);
  await store.webhooks.create('p1', {
    ...settings,
    auth: { type: 'basic', username: 'planted-user', password: 'planted-password' },
  });
  const raw = JSON.stringify([
    await query('select * from webhook'),
    await query('select * from webhook_secret'),
  ]);
  expect(raw).toContain('v1:test:');
  for (const planted of ['planted', String(signingSecret).slice('whsec_'.length)])
    expect(raw).not.toContain(planted);
});

test('only its own pool can see and change a webhook', async () => {
  const { store } = await openWithPools();
  const { endpoint } = await store.webhooks.create('p1', settings);
  expect(await store.webhooks.get('p2', endpoint.id)).toBeUndefined();
  expect(await store.webhooks.update('p2', endpoint.id, { url: 'https://other.example' })).toBeUndefined();
  expect(await store.webhooks.rotateSecret('p2', endpoint.id)).toBeUndefined();
  expect(await store.webhooks.remove('p2', endpoint.id)).toBe(false);
  expect((await store.webhooks.list('p2', { limit: 10 })).items).toEqual([]);
  expect(await store.webhooks.get('p1', endpoint.id)).toEqual(endpoint);
  await expect(store.webhooks.create('nowhere', settings)).rejects.toThrow(/foreign key/);
});

test('a pool has a maximum of webhooks, even if several are added at once', async () => {
  const { store } = await openWithPools();
  const asked = Array.from({ length: maxWebhooksPerPool + 3 }, () => store.webhooks.create('p1', settings));
  const made = await Promise.allSettled(asked);
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxWebhooksPerPool);
  for (const each of made) {
    if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(TooManyWebhooks);
  }
  const { items } = await store.webhooks.list('p1', { limit: 100 });
  expect(items).toHaveLength(maxWebhooksPerPool);
  await store.webhooks.create('p2', settings);
  await store.webhooks.remove('p1', items[0]?.id ?? '');
  await store.webhooks.create('p1', settings);
});

test('a former signing secret stays valid beside the new one for 24 hours', async () => {
  const { store, query } = await openWithPools();
  const { endpoint, signingSecret: first } = await store.webhooks.create('p1', settings);
  const rotated = await store.webhooks.rotateSecret('p1', endpoint.id);
  const secrets = async () => (await store.webhooks.get('p1', endpoint.id))?.signingSecrets;
  expect(await secrets()).toEqual([rotated?.signingSecret, first]);
  const [row] = await query(`select extract(epoch from expires_at - now())::int as left from webhook_secret
    where expires_at is not null`);
  expect(row?.left).toBeGreaterThan(86_000);
  expect(row?.left).toBeLessThanOrEqual(86_400);
  await query('update webhook_secret set expires_at = now() where expires_at is not null');
  expect(await secrets()).toEqual([rotated?.signingSecret]);
  const again = await store.webhooks.rotateSecret('p1', endpoint.id);
  expect(await secrets()).toEqual([again?.signingSecret, rotated?.signingSecret]);
  expect(await query('select id from webhook_secret')).toHaveLength(2);
});

test('a further rotation does not prolong a former signing secret', async () => {
  const { store, query } = await openWithPools();
  const { endpoint } = await store.webhooks.create('p1', settings);
  await store.webhooks.rotateSecret('p1', endpoint.id);
  await query(
    "update webhook_secret set expires_at = now() + interval '1 minute' where expires_at is not null",
  );
  await store.webhooks.rotateSecret('p1', endpoint.id);
  const [soonest] = await query(
    'select extract(epoch from min(expires_at) - now())::int as left from webhook_secret',
  );
  expect(soonest?.left).toBeLessThanOrEqual(60);
});

test('removing a webhook erases its credentials and cancels its waiting messages', async () => {
  const { store, query } = await openWithPools();
  const { endpoint } = await store.webhooks.create('p1', settings);
  await store.waivers.create({ id: 'w1', pool: 'p1', answers: { name: 'Ann' } });
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'waiting' }]);
  expect(await store.webhooks.remove('p1', endpoint.id)).toBe(true);
  expect(await store.webhooks.remove('p1', endpoint.id)).toBe(false);
  expect(await store.webhooks.byDestination(endpoint.destinationId)).toBeUndefined();
  expect(await query('select id from webhook union all select id from webhook_secret')).toEqual([]);
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'cancelled' }]);
});

test('the pages hold each webhook of a pool once, with its own signing secrets', async () => {
  const { store } = await openWithPools();
  const created: { id: string; signingSecrets: unknown }[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { endpoint, signingSecret } = await store.webhooks.create('p1', settings);
    created.push({ id: endpoint.id, signingSecrets: [signingSecret] });
  }
  const first = await store.webhooks.list('p1', { limit: 2 });
  const second = await store.webhooks.list('p1', { limit: 2, cursor: first.next ?? '' });
  expect([...first.items, ...second.items].map(({ id, signingSecrets }) => ({ id, signingSecrets }))).toEqual(
    created,
  );
  expect(second.next).toBeNull();
  await expect(store.webhooks.list('p1', { limit: 2, cursor: '{}' })).rejects.toThrow(MalformedCursor);
});

test('credentials cannot be moved to another webhook', async () => {
  const { store, query } = await openWithPools();
  const one = await store.webhooks.create('p1', settings);
  const two = await store.webhooks.create('p2', settings);
  await query(
    'update webhook set auth_encrypted = (select auth_encrypted from webhook where id = $1) where id = $2',
    [one.endpoint.id, two.endpoint.id],
  );
  await expect(store.webhooks.get('p2', two.endpoint.id)).rejects.toThrow(CannotDecrypt);
});
