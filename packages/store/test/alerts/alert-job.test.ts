import type { AlertEvent } from '@waiver-service/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAlertJob, lockKey } from '../../src/alerts/alert-job.ts';
import { connect } from '../../src/database/connect.ts';
import { createConnectionRenewal } from '../../src/database/connection-renewal.ts';
import type { AlertSettings } from '../../src/index.ts';
import { createPruneDeliveriesJob } from '../../src/retention/prune-deliveries.ts';
import { claimAll, deliver, finish, openOutbox, waiver } from '../setup/outbox-fixture.ts';

const policy = { pauseAfterMs: 86_400_000, probeIntervalMs: 3_600_000 };

/** A store with a webhook and an installation, and an alert job that runs when the test says so. */
async function openAlerts() {
  const opened = await openOutbox();
  const { store, query, url } = opened;
  const database = connect({
    databaseUrl: url,
    maxConnections: 2,
    renewal: createConnectionRenewal(),
    statementTimeoutMs: 10_000,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  const job = createAlertJob(database, () => {});
  const webhook = opened.endpoint?.endpoint.destinationId ?? '';
  const [{ destination_id: system } = { destination_id: '' }] = await query(
    'select destination_id from installation',
  );
  return {
    ...opened,
    database,
    webhook,
    system: String(system),
    add: async (change: Partial<AlertSettings> = {}) => {
      const settings: AlertSettings = {
        name: 'operators',
        events: [
          'delivery.dead',
          'destination.failing',
          'destination.paused',
          'destination.recovered',
          'installation.auth_rejected',
          'installation.pending',
          'fault',
        ],
        pools: null,
        url: 'https://operators.example/hook',
        auth: { type: 'none' },
        signing: false,
        ...change,
      };
      const created = await store.alerts.create(settings);
      if (created === undefined) throw new Error('too many alerts');
      return created.alert;
    },
    run: async () => {
      // The store's own job may be under way.
      await query(`select pg_advisory_lock(${lockKey})`);
      await query(`select pg_advisory_unlock(${lockKey})`);
      await job.runBatch();
      await query(`select pg_advisory_lock(${lockKey})`);
      await query(`select pg_advisory_unlock(${lockKey})`);
    },
    /** As if so much time had passed since all alerts were sent. */
    later: (minutes: number) =>
      query(`update alert_topic set told_at = told_at - $1 * interval '1 minute'`, [minutes]),
    /** It has failed so often, since some minutes ago. */
    fail: (destination: string, failures = 3, minutes = 2, status = 503) =>
      query(
        `update destination set consecutive_failures = consecutive_failures + $2,
          failing_since = now() - $3 * interval '1 minute', last_failure_status = $4 where id = $1`,
        [destination, failures, minutes, status],
      ),
    succeed: (destination: string) =>
      store.outbox.recordHealth([{ destination, succeeded: true, failures: 0, gone: false }], policy),
    /** The alerts since the last time, oldest first. */
    sent: async () => {
      const rows = await query('select d.body, d.id from delivery d where kind = $1 order by d.id', [
        'alert',
      ]);
      const bodies = rows.map(({ body }) => JSON.parse(String(body)));
      await query('delete from delivery where kind = $1', ['alert']);
      await query(`delete from pending where pool = ''`);
      return bodies.map(({ type, destination, leftOut }) => ({
        type,
        ...(destination === undefined ? {} : { destination }),
        ...(leftOut === 0 ? {} : { leftOut }),
      }));
    },
  };
}

describe('a failing destination', () => {
  test('is alerted once, and its recovery too', async () => {
    const { add, run, fail, succeed, sent, webhook } = await openAlerts();
    await add();
    await fail(webhook);
    for (const _ of [1, 2, 3]) await run();
    expect(await sent()).toEqual([{ type: 'destination.failing', destination: webhook }]);
    await succeed(webhook);
    for (const _ of [1, 2, 3]) await run();
    expect(await sent()).toEqual([{ type: 'destination.recovered', destination: webhook }]);
  });

  test('is not alerted while it may be a moment’s trouble, nor is its recovery then', async () => {
    const { add, run, fail, succeed, sent, webhook } = await openAlerts();
    await add();
    await fail(webhook, 2, 5);
    await run();
    await fail(webhook, 1, 0.5);
    await run();
    await succeed(webhook);
    await run();
    expect(await sent()).toEqual([]);
  });

  test('that comes and goes is alerted at most once in 15 minutes, with a count of those left out', async () => {
    const { add, run, fail, succeed, sent, later, webhook } = await openAlerts();
    await add();
    await fail(webhook);
    await run();
    await succeed(webhook);
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing', 'destination.recovered']);
    for (const _ of [1, 2]) {
      await fail(webhook);
      await run();
      await succeed(webhook);
      await run();
    }
    expect(await sent()).toEqual([]);
    await later(14);
    await fail(webhook);
    await run();
    expect(await sent()).toEqual([]);
    await later(1);
    await run();
    expect(await sent()).toEqual([{ type: 'destination.failing', destination: webhook, leftOut: 2 }]);
  });

  test('a recovery that comes too soon after the last one is alerted later', async () => {
    const { add, run, fail, succeed, sent, later, webhook, query } = await openAlerts();
    await add();
    await fail(webhook);
    await run();
    await succeed(webhook);
    await run();
    await query(
      `update alert_topic set told_at = now() - interval '1 hour' where event = 'destination.failing'`,
    );
    await fail(webhook);
    await run();
    await succeed(webhook);
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual([
      'destination.failing',
      'destination.recovered',
      'destination.failing',
    ]);
    await later(15);
    await run();
    expect(await sent()).toEqual([{ type: 'destination.recovered', destination: webhook }]);
  });

  test('that a person resumes has not recovered before it takes something', async () => {
    const { add, run, fail, succeed, sent, webhook, store } = await openAlerts();
    await add();
    await fail(webhook);
    await run();
    await store.destinations.resume(webhook);
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
    await succeed(webhook);
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.recovered']);
  });

  test('that is paused is alerted, unless a person paused it', async () => {
    const { add, run, fail, sent, webhook, system, store, query } = await openAlerts();
    await add({ events: ['destination.paused'] });
    await store.destinations.pause(system);
    await fail(webhook);
    await run();
    expect(await sent()).toEqual([]);
    await query(`update destination set status = 'paused', paused_by = 'failures' where id = $1`, [webhook]);
    await run();
    expect(await sent()).toEqual([{ type: 'destination.paused', destination: webhook }]);
  });

  test('that is removed has not recovered', async () => {
    const { add, run, fail, sent, webhook, store, endpoint, query } = await openAlerts();
    await add();
    await fail(webhook);
    await run();
    await store.webhooks.remove('p1', endpoint?.endpoint.id ?? '');
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
    expect(await query('select 1 from alert_topic')).toEqual([]);
  });

  test('is sent to alerts for recoveries only when it recovers', async () => {
    const { add, run, fail, succeed, sent, webhook } = await openAlerts();
    await add({ events: ['destination.recovered'] });
    await fail(webhook);
    await run();
    await succeed(webhook);
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.recovered']);
  });

  test('is sent to an alert that is created later, if it lasts', async () => {
    const { add, run, fail, sent, webhook } = await openAlerts();
    await fail(webhook);
    await run();
    await add();
    await run();
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
  });

  test('is an alert’s own: nothing is sent', async () => {
    const { add, run, fail, sent, query } = await openAlerts();
    const { destinationId } = await add();
    await fail(destinationId);
    await query(`update destination set status = 'paused', paused_by = 'failures' where id = $1`, [
      destinationId,
    ]);
    await run();
    expect(await sent()).toEqual([]);
  });
});

describe('dead letters', () => {
  test('are counted with the record itself, by destination, and sent together', async () => {
    const { add, run, sent, later, store, webhook, system } = await openAlerts();
    await add({ events: ['delivery.dead'] });
    const die = async (most: number) => {
      for (let index = 0; index < most; index += 1) await store.waivers.create(waiver());
      for (const claimed of await claimAll(store)) await finish(store, claimed, { kind: 'dead' });
    };
    await die(3);
    await run();
    const expected = (leftOut: number) =>
      expect.arrayContaining(
        [webhook, system].map((destination) => ({ type: 'delivery.dead', destination, leftOut })),
      );
    expect(await sent()).toEqual(expected(2));
    await die(4);
    await run();
    expect(await sent()).toEqual([]);
    await later(15);
    await run();
    expect(await sent()).toEqual(expected(3));
    await later(15);
    await run();
    expect(await sent()).toEqual([]);
  });

  test('cost nothing without alerts, and are not sent to an alert that is created later', async () => {
    const { add, run, sent, store, query } = await openAlerts();
    await store.waivers.create(waiver());
    const [first, second] = await claimAll(store);
    if (first === undefined || second === undefined) throw new Error('two messages were to be sent');
    await finish(store, first, { kind: 'dead' });
    expect(await query('select 1 from alert_occurrence')).toEqual([]);
    const { id } = await add();
    await finish(store, second, { kind: 'dead' });
    await store.alerts.remove(id);
    await add();
    await run();
    expect(await sent()).toEqual([]);
  });

  test('of alerts are not alerted', async () => {
    const { add, run, store, webhook, fail, sent } = await openAlerts();
    await add();
    await fail(webhook);
    await run();
    const [alert] = await claimAll(store);
    expect(alert).toMatchObject({ kind: 'alert', pool: '' });
    if (alert !== undefined) await finish(store, alert, { kind: 'dead' });
    await sent();
    await run();
    expect(await sent()).toEqual([]);
  });
});

test('a rejected key and a pending installation are alerted, by condition and by read', async () => {
  const { add, run, fail, succeed, sent, system, store, query, later } = await openAlerts();
  await add({ events: ['installation.auth_rejected', 'installation.pending', 'destination.recovered'] });
  // Pending first: the store's own job must not see a rejected key before.
  await query(`update installation set status = 'pending' where destination_id = $1`, [system]);
  await fail(system, 2, 0, 401);
  await run();
  expect(await sent()).toEqual([{ type: 'installation.pending', destination: system }]);
  await query(`update installation set status = 'installed' where destination_id = $1`, [system]);
  await run();
  expect(await sent()).toEqual([{ type: 'installation.auth_rejected', destination: system }]);
  await succeed(system);
  await run();
  expect(await sent()).toEqual([{ type: 'destination.recovered', destination: system }]);
  const rejected = () =>
    store.alerts.note({ event: 'installation.auth_rejected', subject: system, pool: 'p1' });
  await rejected();
  await run();
  expect(await sent()).toEqual([]);
  await later(15);
  await rejected();
  await run();
  expect(await sent()).toEqual([{ type: 'installation.auth_rejected', destination: system, leftOut: 1 }]);
  await run();
  expect(await sent()).toEqual([]);
});

test('a fault is sent to alerts for all pools', async () => {
  const { add, run, sent, store } = await openAlerts();
  await add({ pools: ['p1'] });
  await add();
  await store.alerts.note({ event: 'fault', subject: 'requests', detail: 'A request failed.', occurred: 4 });
  await run();
  expect(await sent()).toEqual([{ type: 'fault', leftOut: 3 }]);
});

test('hosts that decide at once tell once', async () => {
  const { add, run, fail, sent, webhook, url } = await openAlerts();
  await add();
  await fail(webhook);
  const hosts = Array.from({ length: 4 }, () => {
    const database = connect({
      databaseUrl: url,
      maxConnections: 1,
      renewal: createConnectionRenewal(),
      statementTimeoutMs: 10_000,
      onConnectionError: () => {},
    });
    onTestFinished(() => database.destroy());
    return createAlertJob(database, () => {});
  });
  await Promise.all(hosts.flatMap((job) => [job.runBatch(), job.runBatch()]));
  await run();
  expect(await sent()).toEqual([{ type: 'destination.failing', destination: webhook }]);
});

test('events and pools that an alert does not name are not sent', async () => {
  const { add, run, fail, sent, webhook, store } = await openAlerts();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await add({ pools: ['p2'] });
  const events: AlertEvent[] = ['delivery.dead'];
  const { id } = await add({ events });
  await fail(webhook);
  await run();
  expect(await sent()).toEqual([]);
  await store.alerts.update(id, { events: ['destination.failing'] });
  await run();
  expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
});

test('sent alerts about other pools stay theirs when the alert is limited to fewer', async () => {
  const { add, run, fail, webhook, store } = await openAlerts();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const { id } = await add();
  await store.alerts.note({ event: 'fault', subject: 'requests', detail: 'A request failed.', occurred: 1 });
  await fail(webhook);
  await run();
  await store.alerts.update(id, { pools: ['p2'] });
  expect((await store.alerts.list({ limit: 10 }, ['p2'])).items).toHaveLength(1);
  expect((await store.alerts.listSent({ limit: 10 }, ['p2'])).items).toEqual([]);
  await store.alerts.update(id, { pools: ['p1', 'p2'] });
  expect((await store.alerts.listSent({ limit: 10 }, ['p1', 'p2'])).items).toMatchObject([{ pool: 'p1' }]);
  expect((await store.alerts.listSent({ limit: 10 })).items).toHaveLength(2);
});

test('sent alerts are listed, with the state of their messages, however short deliveries are kept', async () => {
  const { add, run, store, query, database } = await openAlerts();
  await add();
  await store.alerts.note({ event: 'fault', subject: 'requests', detail: 'A request failed.', occurred: 1 });
  await run();
  for (const claimed of await claimAll(store)) await deliver(store, claimed);
  const retention = { deliveryRetentionMs: 0, deadRetentionMs: 0, intervalMs: 0 };
  const prune = createPruneDeliveriesJob(database, retention, () => {});
  await prune.runBatch();
  expect((await store.alerts.listSent({ limit: 10 })).items).toMatchObject([{ state: 'delivered' }]);
  await query('delete from sent_alert');
  await prune.runBatch();
  expect(await query('select from delivery')).toEqual([]);
});

test('messages of one subject stand in one lane, in order, and none supersedes another', async () => {
  const { add, run, fail, succeed, webhook, query } = await openAlerts();
  await add();
  await fail(webhook);
  await run();
  await succeed(webhook);
  await run();
  const rows = await query('select distinct ordering_key, lane from pending where pool = $1', ['']);
  expect(rows).toHaveLength(1);
  const bodies = await query(
    `select d.body from pending p join delivery d on d.id = p.id where p.pool = '' order by p.sequence`,
  );
  expect(bodies.map(({ body }) => JSON.parse(String(body)).type)).toEqual([
    'destination.failing',
    'destination.recovered',
  ]);
});
