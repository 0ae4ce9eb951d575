import { changesRetryMs, pollWaitMs } from '@waiver-service/integration/testing';
import { checkfrontBooking, startCheckfront } from '@waiver-service/plugin-checkfront/simulator';
import { type TestCaller, until } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

/** The stored state of the calls for changes of one installation, the only one in the database. */
interface ChangesState {
  readonly cursor: string | null;
  readonly failures: number;
  /** Whether one is under way. */
  readonly isAsking: boolean;
  /** Milliseconds until the next call; infinite if there is none planned. */
  readonly dueInMs: number;
}

/** Looks at the calls for changes, and makes the next one due. */
interface ObservedChanges {
  state(): Promise<ChangesState | undefined>;
  makeDue(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to a database to observe calls for changes. */
async function observeBookingChanges(databaseUrl: string): Promise<ObservedChanges> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async state() {
      const { rows } = await client.query<ChangesState>(`
        select cursor, failures, claimed as "isAsking",
          extract(epoch from due_at)::double precision * 1000 - extract(epoch from now())::double precision * 1000 as "dueInMs"
        from booking_changes`);
      return rows[0];
    },
    async makeDue() {
      await client.query('update booking_changes set due_at = now()');
    },
    close: () => client.end(),
  };
}

const plugin = (changes?: { readonly pollEveryMs?: number }) => ({
  capabilities: {
    forms: ['native' as const],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'none' as const,
    ...(changes && { changes }),
  },
});

test('a booking system is asked as often as its plugin says, or not by itself', () => {
  expect(pollWaitMs(plugin({ pollEveryMs: 300_000 }))).toBe(300_000);
  expect(pollWaitMs(plugin({}))).toBeNull();
});

test('after failures it is asked less and less often, down to once an hour', () => {
  const waits = (changes: { readonly pollEveryMs?: number }) =>
    [0, 1, 2, 3, 6, 99].map((failures) => changesRetryMs(plugin(changes), failures) / 60_000);
  expect(waits({ pollEveryMs: 300_000 })).toEqual([5, 10, 20, 40, 60, 60]);
  expect(waits({})).toEqual([1, 2, 4, 8, 60, 60]);
  // Never more often than usual.
  expect(waits({ pollEveryMs: 86_400_000 })).toEqual([1440, 1440, 1440, 1440, 1440, 1440]);
});

async function connected(variables: Readonly<Record<string, string>> = {}) {
  const host = await startTestHost(variables);
  const changes = await observeBookingChanges(variables.DATABASE_URL ?? host.databaseUrl);
  onTestFinished(async () => {
    await changes.close();
    await host.close();
  });
  return { host, changes };
}

/** Resolves when no due question to the installation is left. */
const untilAsked = (changes: ObservedChanges) =>
  until(async () => {
    const state = await changes.state();
    return state !== undefined && state.dueInMs > 0 && !state.isAsking ? state : undefined;
  }, 'a call for changes');

async function install(host: TestHost, installName: string, account: object): Promise<string> {
  const path = `/v1/admin/pools/p/installations/${installName}`;
  const { status, body } = await host.admin('PUT', path, { accountId: 1, ...account });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.webhookUrl;
}

const read = (app: TestCaller, bookingId: string) => app('GET', `/v1/pools/p/bookings/${bookingId}`);

test('a booking that changed without a call is read again, by one of two hosts', async () => {
  const system = await startCheckfront({ apiKey: 'key', apiSecret: 'secret' });
  onTestFinished(() => system.close());
  const { host, changes } = await connected();
  await connected({ DATABASE_URL: host.databaseUrl });
  const app = await host.makePool('p');
  await host.admin('PUT', '/v1/admin/booking-systems/checkfront', { baseUrl: system.url });
  await install(host, 'checkfront', { apiKey: 'key', apiSecret: 'secret' });
  await untilAsked(changes);
  const { code } = checkfrontBooking();
  await read(app, code);
  const lastModified = Math.floor(Date.now() / 1_000);
  system.put(checkfrontBooking({ status: 'WAIT', lastModified }));
  const before = system.received.length;
  await changes.makeDue();
  const isRead = ({ path }: { path: string }) => path.endsWith(`/booking/${code}`);
  await until(() => system.received.slice(before).some(isRead), 'the booking to be read again');
  const asked = system.received.slice(before).filter(({ route }) => route === 'index');
  expect(asked).toHaveLength(1);
});
