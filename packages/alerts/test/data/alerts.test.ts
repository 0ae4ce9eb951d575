import { alertEvents, maxAlertsPerPool } from '@waiver-service/api';
import {
  claimAll,
  deliver,
  finish,
  furnishOutbox,
  openTestStore as open,
  openPruning,
  waiver,
} from '@waiver-service/store/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AlertSettings, openAlertStore, TooManyAlerts } from '../../src/data/alerts.ts';
import { alertsData } from '../../src/data/alerts-data.ts';

/** A store with alerts, closed and dropped when the test ends. */
async function openTestStore() {
  const { store, ...opened } = await open({ features: [alertsData] });
  onTestFinished(opened.close);
  return { ...opened, store: openAlertStore(store) };
}

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

const policy = { pauseAfterMs: 86_400_000, probeIntervalMs: 3_600_000 };
const fault = { event: 'fault', subject: 'requests', detail: 'A request failed.' } as const;

interface Failing {
  readonly failures?: number;
  readonly minutes?: number;
  readonly status?: number;
  readonly pauseAfterMs?: number;
}

/** A store with a webhook and an installation. */
async function openAlerts() {
  const opened = await openTestStore();
  const { store, query } = opened;
  const webhook = (await furnishOutbox(store))?.endpoint.destinationId ?? '';
  const [{ destination_id: system } = { destination_id: '' }] = await query(
    'select destination_id from installation',
  );
  return {
    ...opened,
    webhook,
    system: String(system),
    add: async (change: Partial<AlertSettings> = {}) => {
      const settings: AlertSettings = {
        name: 'operators',
        events: alertEvents,
        pools: null,
        url: 'https://operators.example/hook',
        auth: { type: 'none' },
        signing: false,
        ...change,
      };
      return (await store.alerts.create(settings)).alert;
    },
    /** As if so much time had passed since all alerts were sent. */
    later: (minutes: number) => query(`update sent_alert set at = at - $1 * interval '1 minute'`, [minutes]),
    /** It fails once more: so often in all, since some minutes ago. */
    fail: async (
      destination: string,
      { failures = 3, minutes = 2, status = 503, ...given }: Failing = {},
    ) => {
      await query(
        `update destination set consecutive_failures = greatest(consecutive_failures, $2::integer),
          failing_since = now() - $3 * interval '1 minute' where id = $1`,
        [destination, failures - 1, minutes],
      );
      const health = { destination, succeeded: false, failures: 1, lastStatus: status, gone: false };
      await store.outbox.recordHealth([health], { ...policy, ...given });
    },
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
    const { add, fail, succeed, sent, webhook } = await openAlerts();
    await add();
    for (const _ of [1, 2, 3]) await fail(webhook);
    expect(await sent()).toEqual([{ type: 'destination.failing', destination: webhook }]);
    for (const _ of [1, 2, 3]) await succeed(webhook);
    expect(await sent()).toEqual([{ type: 'destination.recovered', destination: webhook }]);
  });

  test('is not alerted while it may be a moment’s trouble, nor is its recovery then', async () => {
    const { add, fail, succeed, sent, webhook } = await openAlerts();
    await add();
    await fail(webhook, { failures: 2, minutes: 5 });
    await fail(webhook, { minutes: 0.5 });
    await succeed(webhook);
    expect(await sent()).toEqual([]);
  });

  test('that comes and goes is alerted at most once in 15 minutes, with a count of those left out', async () => {
    const { add, fail, succeed, sent, later, webhook } = await openAlerts();
    await add();
    await fail(webhook);
    await succeed(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing', 'destination.recovered']);
    for (const _ of [1, 2]) {
      await later(3);
      await fail(webhook);
      await succeed(webhook);
    }
    expect(await sent()).toEqual([]);
    await later(8);
    await fail(webhook);
    expect(await sent()).toEqual([]);
    await later(1);
    await fail(webhook);
    expect(await sent()).toEqual([{ type: 'destination.failing', destination: webhook, leftOut: 2 }]);
    await succeed(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.recovered']);
  });

  test('that fails again soon after its recovery is alerted when it still fails later', async () => {
    const { add, fail, succeed, sent, later, webhook } = await openAlerts();
    await add();
    await fail(webhook);
    await later(20);
    await succeed(webhook);
    await fail(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing', 'destination.recovered']);
    await later(15);
    await fail(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
  });

  test('that a person resumes has not recovered before it takes something', async () => {
    const { add, fail, succeed, sent, webhook, store } = await openAlerts();
    await add();
    await fail(webhook);
    await store.destinations.resume(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
    await succeed(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.recovered']);
  });

  test('that is paused is alerted, unless a person paused it', async () => {
    const { add, fail, sent, webhook, system, store } = await openAlerts();
    await add({ events: ['destination.paused'] });
    await store.destinations.pause(system);
    await fail(system, { pauseAfterMs: 1 });
    expect(await sent()).toEqual([]);
    for (const _ of [1, 2]) await fail(webhook, { pauseAfterMs: 1 });
    expect(await sent()).toEqual([{ type: 'destination.paused', destination: webhook }]);
  });

  test('is sent to alerts for recoveries only when it recovers', async () => {
    const { add, fail, succeed, sent, webhook } = await openAlerts();
    await add({ events: ['destination.recovered'] });
    await fail(webhook);
    await succeed(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.recovered']);
  });

  test('is sent to an alert that is created later, if it lasts', async () => {
    const { add, fail, sent, webhook } = await openAlerts();
    await fail(webhook);
    await add();
    await fail(webhook);
    expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
  });

  test('is an alert’s own: nothing is sent', async () => {
    const { add, fail, sent } = await openAlerts();
    const { destinationId } = await add();
    await fail(destinationId, { pauseAfterMs: 1 });
    expect(await sent()).toEqual([]);
  });
});

test('dead letters are alerted by destination, and counted until the next alert', async () => {
  const { add, sent, later, store, webhook, system } = await openAlerts();
  await add({ events: ['delivery.dead'] });
  const die = async (count: number) => {
    for (let index = 0; index < count; index += 1) await store.waivers.create(waiver());
    for (const claimed of await claimAll(store)) await finish(store, claimed, { kind: 'dead' });
  };
  const expected = (leftOut?: number) =>
    expect.arrayContaining(
      [webhook, system].map((destination) => ({
        type: 'delivery.dead',
        destination,
        ...(leftOut === undefined ? {} : { leftOut }),
      })),
    );
  await die(3);
  expect(await sent()).toEqual(expected());
  await die(4);
  expect(await sent()).toEqual([]);
  await later(15);
  await die(1);
  expect(await sent()).toEqual(expected(6));
});

test('dead letters of alerts are not alerted', async () => {
  const { add, store, webhook, fail, sent } = await openAlerts();
  await add();
  await fail(webhook);
  const [alert] = await claimAll(store);
  expect(alert).toMatchObject({ kind: 'alert', pool: '' });
  if (alert !== undefined) await finish(store, alert, { kind: 'dead' });
  await sent();
  expect(await sent()).toEqual([]);
});

test('an installation that waits for approval is alerted', async () => {
  const { add, sent, store } = await openAlerts();
  await add();
  await store.pools.put({ id: 'p2', name: 'Pool 2', installs: 'approve' });
  const request = {
    bookingSystem: 'standard',
    pool: 'p2',
    accountId: 'a2',
    apiKey: 'key',
    information: {},
    writeUnit: 'waiver',
    guestId: 'waiver-id',
    takesGuestUpdates: true,
    keyOverlapMs: 0,
    madeBy: 'booking-system',
  } as const;
  for (const _ of [1, 2]) await store.installations.install(request);
  expect((await sent()).map(({ type }) => type)).toEqual(['installation.pending']);
});

test('a rejected key is alerted when messages are sent and when bookings are read', async () => {
  const { add, fail, succeed, sent, system, store, later } = await openAlerts();
  await add({ events: ['installation.auth_rejected', 'destination.recovered'] });
  await fail(system, { failures: 1, minutes: 0, status: 401 });
  expect(await sent()).toEqual([]);
  await fail(system, { failures: 2, minutes: 0, status: 401 });
  expect(await sent()).toEqual([{ type: 'installation.auth_rejected', destination: system }]);
  await succeed(system);
  expect(await sent()).toEqual([{ type: 'destination.recovered', destination: system }]);
  const rejected = { event: 'installation.auth_rejected', subject: system } as const;
  await store.report(rejected);
  expect(await sent()).toEqual([]);
  await later(15);
  await store.report(rejected);
  expect(await sent()).toEqual([{ type: 'installation.auth_rejected', destination: system, leftOut: 1 }]);
});

test('a lost authorization is alerted once, and its renewal', async () => {
  const { add, sent, system, store } = await openAlerts();
  await add();
  const begin = async () => {
    const { version } = await store.sessions.read(system);
    const renewal = await store.sessions.begin({ destination: system, version, leaseMs: 1_000 });
    if (renewal === undefined) throw new Error('the renewal did not begin');
    return renewal;
  };
  const loss = { reason: 'revoked', retryAfterMs: 0, maxRetryAfterMs: 0 };
  for (const _ of [1, 2]) await store.sessions.lose(await begin(), loss);
  expect(await sent()).toEqual([{ type: 'installation.auth_rejected', destination: system }]);
  const stored = { session: { accessToken: 'token' }, issuedAt: new Date(), openedWith: 'credentials' };
  for (const _ of [1, 2]) await store.sessions.record(await begin(), stored);
  expect(await sent()).toEqual([{ type: 'destination.recovered', destination: system }]);
});

test('a fault is sent to alerts for all pools, once, whichever hosts have it at the same time', async () => {
  const { add, sent, store, later } = await openAlerts();
  await add({ pools: ['p1'] });
  await add();
  await Promise.all([1, 1, 1, 1].map((times) => store.report({ ...fault, times })));
  expect(await sent()).toEqual([{ type: 'fault' }]);
  await later(15);
  await store.report({ ...fault, times: 4 });
  expect(await sent()).toEqual([{ type: 'fault', leftOut: 6 }]);
});

test('events and pools that an alert does not name are not sent', async () => {
  const { add, fail, sent, webhook, store } = await openAlerts();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await add({ pools: ['p2'] });
  const { id } = await add({ events: ['delivery.dead'] });
  await fail(webhook);
  expect(await sent()).toEqual([]);
  await store.alerts.update(id, { events: ['destination.failing'] });
  await fail(webhook);
  expect((await sent()).map(({ type }) => type)).toEqual(['destination.failing']);
});

test('sent alerts about other pools stay theirs when the alert is limited to fewer', async () => {
  const { add, fail, webhook, store } = await openAlerts();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const { id } = await add();
  await store.report(fault);
  await fail(webhook);
  await store.alerts.update(id, { pools: ['p2'] });
  expect((await store.alerts.list({ limit: 10 }, ['p2'])).items).toHaveLength(1);
  expect((await store.alerts.listSent({ limit: 10 }, ['p2'])).items).toEqual([]);
  await store.alerts.update(id, { pools: ['p1', 'p2'] });
  expect((await store.alerts.listSent({ limit: 10 }, ['p1', 'p2'])).items).toMatchObject([{ pool: 'p1' }]);
  expect((await store.alerts.listSent({ limit: 10 })).items).toHaveLength(2);
});

test('sent alerts are listed, with the state of their messages, however short deliveries are kept', async () => {
  const { add, store, query, url } = await openAlerts();
  const prune = async () => {
    const pruning = openPruning(url, { features: [alertsData], deliveryRetentionMs: 0 });
    await pruning.pruneDeliveries();
    await pruning.close();
  };
  await add();
  await store.report(fault);
  for (const claimed of await claimAll(store)) await deliver(store, claimed);
  await prune();
  expect((await store.alerts.listSent({ limit: 10 })).items).toMatchObject([{ state: 'delivered' }]);
  await query('delete from sent_alert');
  await prune();
  expect(await query('select from delivery')).toEqual([]);
});

test('messages of one subject stand in one lane, in order, and none supersedes another', async () => {
  const { add, fail, succeed, webhook, query } = await openAlerts();
  await add();
  await fail(webhook);
  await succeed(webhook);
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
