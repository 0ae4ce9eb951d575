import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@waiver-service/database/testing';
import type { DispatcherEvent } from '@waiver-service/delivery';
import { createOutbound } from '@waiver-service/outbound';
import { startBookingSystem } from '@waiver-service/simulator';
import { openStore, type PausePolicy } from '@waiver-service/store';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHost } from '../../src/composition/create-host.ts';
import { Sending } from '../../src/sending/create-sending.ts';
import { reportDispatcher } from '../../src/sending/dispatcher-events.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { noTracing } from '../../src/tracing/tracing.ts';
import { withInvitations } from '../harness/open-invitations.ts';
import { adminToken, encryptionKeys, startTestHost, until } from '../harness/test-host.ts';

test('an api host takes waivers and sends none; a dispatcher host sends them and takes none', async () => {
  const bookingSystem = await startBookingSystem({
    authHeaderName: 'api-key',
    apiKey: 'k',
    pathShape: 'path',
    form: 'current',
  });
  const api = await startTestHost({ ROLE: 'api' });
  await api.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: bookingSystem.url });
  await api.call('PUT', '/v1/admin/pools/p', { name: 'P' });
  await api.call('PUT', '/v1/admin/pools/p/installations/standard', { accountId: 1, apiKey: 'k' });
  const { status, body } = await api.call('POST', '/v1/pools/p/waivers', {
    bookingId: bookingSystem.bookings.all[0]?.id,
    bookingSystem: 'standard',
    answers: { name: 'x' },
  });
  expect(status).toBe(201);
  const state = async () =>
    (await api.call('GET', `/v1/admin/deliveries?waiverId=${body.id}`)).body.items[0].state;
  expect(await state()).toBe('waiting');

  const dispatcher = await createHost(
    readSettings({
      PORT: '0',
      ROLE: 'dispatcher',
      DATABASE_URL: api.databaseUrl,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    }),
  );
  const [update] = await bookingSystem.untilReceived('guest-update', 1);
  expect(update?.body.toString()).toContain(body.id);
  await until(async () => (await state()) === 'delivered', 'the delivery to be recorded');
  const at = async (path: string) => (await fetch(`${dispatcher.url}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/v1/admin/pools'].map(at))).toEqual([
    200, 200, 200, 404,
  ]);
  await dispatcher.close();
  await api.close();
  await bookingSystem.close();
});

test('the settings of pauses and retention take effect', async () => {
  const database = await createTestDatabase();
  const store = await openStore({
    databaseUrl: database.url,
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
  });
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], timeoutMs: 5_000 });
  const policies: PausePolicy[] = [];
  const retentions: number[] = [];
  const sending = new Sending(
    readSettings({
      DATABASE_URL: database.url,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      PAUSE_AFTER: '7h',
      PROBE_INTERVAL: '11m',
      ATTEMPT_RETENTION: '13d',
    }),
    {
      ...withInvitations(store),
      outbox: {
        ...store.outbox,
        recordHealth: async (health, policy) => {
          policies.push(policy);
          return store.outbox.recordHealth(health, policy);
        },
        pruneAttempts: async (retentionMs) => {
          retentions.push(retentionMs);
          return 0;
        },
      },
    },
    { alerts: { byDestination: async () => undefined } },
    outbound,
    {
      connect: () => {
        throw new Error('nothing is installed');
      },
    },
    {
      read: () => Promise.reject(new Error('nothing is read')),
      readNow: () => Promise.reject(new Error('nothing is read')),
    },
    undefined,
    () => {},
  );
  onTestFinished(async () => {
    await sending.stop();
    await store.close();
    await outbound.close();
    await database.drop();
  });
  await store.pools.put({ id: 'p1', name: 'One' });
  await store.webhooks.create('p1', {
    // Nothing listens there: the first attempt fails.
    url: 'http://127.0.0.1:1/',
    auth: { type: 'none' },
    properties: [],
    signing: false,
  });
  await store.waivers.create({ id: 'w1', pool: 'p1' });
  sending.start();
  await until(async () => policies.length > 0, 'a failure to be recorded');
  expect(policies[0]).toMatchObject({ pauseAfterMs: 7 * 3_600_000, probeIntervalMs: 11 * 60_000 });
  expect(retentions).toEqual([13 * 86_400_000]);
});

const message = {
  id: 'd1',
  kind: 'guest-webhook' as const,
  pool: 'p1',
  destination: 't1',
  bookingSystem: null,
  waiverId: 'w1',
  version: 1,
  attempts: 0,
  trigger: 'schedule' as const,
};
const result = { durationMs: 1, status: 200, errorCode: undefined };

test('accepted attempts are logged as debug, others as info, faults of the service as errors', () => {
  const lines: string[] = [];
  const counted: string[] = [];
  const faults: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const report = reportDispatcher(log, {
    metrics: { countAttempt: (_kind, outcome) => counted.push(outcome) },
    faults: { report: (subject) => faults.push(subject) },
    tracing: noTracing,
  });
  const events: DispatcherEvent[] = [
    { type: 'attempt', message, result: { ...result, outcome: 'accepted' }, decision: 'delivered' },
    { type: 'attempt', message, result: { ...result, outcome: 'refused' }, decision: 'retry' },
    {
      type: 'attempt',
      message,
      result: { ...result, outcome: 'own-fault' },
      decision: 'release',
      error: new Error('a bug of ours'),
    },
  ];
  for (const event of events) report(event);
  const levels = lines.map((line) => pino.levels.labels[JSON.parse(line).level]);
  expect(levels).toEqual(['debug', 'info', 'error']);
  expect(lines[2]).toContain('a bug of ours');
  expect(counted).toEqual(['accepted', 'refused', 'own-fault']);
  expect(faults).toEqual(['attempts']);
});

test('a fault in sending an alert, and a database that is away, are only in the log', () => {
  const faults: string[] = [];
  const report = reportDispatcher(pino({ level: 'silent' }), {
    metrics: { countAttempt: () => {} },
    faults: { report: (subject) => faults.push(subject) },
    tracing: noTracing,
  });
  const error = new Error('a bug of ours');
  const away = Object.assign(new Error('the database system is shutting down'), { code: '57P01' });
  const alert = { ...message, kind: 'alert' as const, pool: '' };
  report({
    type: 'attempt',
    message: alert,
    result: { ...result, outcome: 'own-fault' },
    decision: 'release',
    error,
  });
  report({ type: 'unrecorded', delivery: 'd1', pool: '', error });
  report({ type: 'fault', doing: 'recording attempts', error: away });
  expect(faults).toEqual([]);
  report({ type: 'unrecorded', delivery: 'd1', pool: 'p1', error });
  report({ type: 'fault', doing: 'recording attempts', error });
  expect(faults).toEqual(['records of attempts', 'dispatcher recording attempts']);
});
