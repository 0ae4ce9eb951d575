import { getEventListeners } from 'node:events';
import { createConnectionRenewal, createNotifications } from '@waiver-service/database';
import { expect, onTestFinished, test, vi } from 'vitest';
import { channels } from '../../src/database/notifications.ts';
import { openStore } from '../../src/index.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openDatabase, openOutbox, testKey } from '../setup/open-test-store.ts';

type Query = Awaited<ReturnType<typeof openOutbox>>['query'];

const listening = `select pid from pg_stat_activity
where datname = current_database() and query like 'listen waiver_service_%'`;

async function untilListening(query: Query, hosts: number): Promise<void> {
  await expect.poll(() => query(listening)).toHaveLength(hosts);
}

/** Two stores on one database, like two hosts. */
async function openTwo() {
  const keys = [testKey()];
  const opened = await openOutbox({ keys });
  const other = await openStore({ databaseUrl: opened.url, encryptionKeys: keys });
  onTestFinished(() => other.close());
  await untilListening(opened.query, 2);
  return { ...opened, other };
}

test('a host has one connection for all notifications', async () => {
  const { query } = await openTwo();
  expect(await query(listening)).toHaveLength(2);
});

test('after a lost connection anything may have been missed, and commits are announced again', async () => {
  const { store, other, query } = await openTwo();
  let woken = 0;
  let withdrawn = 0;
  const outbox = other.outbox.listen({
    onWake: () => {
      woken += 1;
    },
    onWithdrawn: (withdrawal) => {
      if (withdrawal === undefined) withdrawn += 1;
    },
  });
  onTestFinished(() => outbox.close());
  await query(`select pg_terminate_backend(pid) from (${listening}) l`);
  // When it is lost, and when it is there again.
  await expect.poll(() => withdrawn).toBe(2);
  expect(woken).toBe(2);
  await untilListening(query, 2);
  await store.waivers.create(waiver({ id: 'w1' }));
  await expect.poll(() => woken).toBeGreaterThan(2);
});

test('a database that is away for long costs no memory', async () => {
  const databaseUrl = 'postgres://localhost:1/away';
  const listen = vi.spyOn(EventTarget.prototype, 'addEventListener');
  onTestFinished(() => listen.mockRestore());
  let attempts = 0;
  const renewal = {
    ...createConnectionRenewal(),
    onRenew: () => {
      attempts += 1;
      return () => {};
    },
  };
  const notifications = createNotifications({
    channels,
    database: openDatabase(databaseUrl),
    settings: { connectionString: databaseUrl },
    renewal,
  });
  onTestFinished(() => notifications.close());
  await expect.poll(() => attempts).toBe(4);
  const signals = listen.mock.contexts.filter((target) => target instanceof AbortSignal);
  const listeners = signals.map((signal) => getEventListeners(signal, 'abort').length);
  // Of the attempt and of the wait for the next one.
  expect(Math.max(...listeners)).toBeLessThanOrEqual(2);
});
